package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
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
            assertThat(foreground.await(Mono.just(1), end)).contains(1);
        }
    }

    @Test
    void errorIsThrown() {
        try (Foreground foreground = new Foreground()) {
            assertThatThrownBy(() -> foreground.await(Mono.error(new IllegalStateException("no")), end))
                    .hasMessage("no");
        }
    }

    @Test
    void stopCancelsAndWaitsForCleanup() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<Void> stop;
        try (Foreground foreground = new Foreground()) {
            Mono<Integer> work = Mono.<Integer>never()
                    .doOnSubscribe(subscription -> begun.countDown())
                    .doOnCancel(cancelled::countDown);
            CompletableFuture<Optional<Integer>> result =
                    CompletableFuture.supplyAsync(() -> foreground.await(work, end), ONE_EACH);
            begun.await();
            stop = CompletableFuture.runAsync(foreground::stop, ONE_EACH);
            cancelled.await();
            assertThat(result).isNotDone();
            assertThat(stop).isNotDone();
            end.countDown();
            assertThat(result.get()).isEmpty();
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
            assertThat(foreground.await(work, new CountDownLatch(0))).isEmpty();
        }
        stop.join();
    }
}
