package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ForegroundTest {
    /** All tasks block, and the common pool may have a single thread. */
    private static final Executor ONE_EACH = task -> new Thread(task).start();

    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void valueIsReturned() {
        try (Foreground foreground = new Foreground()) {
            assertThat(foreground.await(Mono.just(1), end, Mono.empty())).isEqualTo(1);
        }
    }

    @Test
    void errorIsThrown() {
        try (Foreground foreground = new Foreground()) {
            assertThatThrownBy(() -> foreground.await(Mono.error(new IllegalStateException("no")), end, Mono.empty()))
                    .hasMessage("no");
        }
    }

    @Test
    void stopCancelsWorkAndStatementAndWaitsForCleanup() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<Void> stop;
        try (Foreground foreground = new Foreground()) {
            Mono<Integer> work = Mono.<Integer>never()
                    .doOnSubscribe(subscription -> begun.countDown())
                    .doOnCancel(cancelled::countDown);
            CountDownLatch requested = new CountDownLatch(2);
            Mono<Void> request = Mono.<Void>error(new IllegalStateException("refused"))
                    .doOnSubscribe(subscription -> {
                        assertThat(cancelled.getCount()).isZero();
                        requested.countDown();
                    });
            CompletableFuture<Integer> result =
                    CompletableFuture.supplyAsync(() -> foreground.await(work, end, request), ONE_EACH);
            begun.await();
            stop = CompletableFuture.runAsync(foreground::stop, ONE_EACH);
            requested.await();
            assertThat(result).isNotDone();
            assertThat(stop).isNotDone();
            end.countDown();
            assertThatThrownBy(result::join).cause().isInstanceOf(InterruptedTaskException.class);
            assertThat(stop).isNotDone();
        }
        stop.get();
    }

    @Test
    void stopBeforeStartReturnsEmpty() {
        CompletableFuture<Void> stop;
        try (Foreground foreground = new Foreground()) {
            stop = CompletableFuture.runAsync(foreground::stop, ONE_EACH);
            Mono<Integer> work = Mono.never();
            assertThatThrownBy(() -> foreground.await(work, new CountDownLatch(0), Mono.error(AssertionError::new)))
                    .hasMessageContaining("The lock is released");
        }
        stop.join();
    }
}
