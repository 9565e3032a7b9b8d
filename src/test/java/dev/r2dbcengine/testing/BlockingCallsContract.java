package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The other tests show that no code blocks only if BlockHound is active; this contract shows that it is. */
abstract class BlockingCallsContract {

    /** Calls that block, or would. */
    @SuppressWarnings({"ImmutableEnumChecker", "WaitNotInLoop"}) // without state; nothing is awaited
    enum Waiting {
        SLEEP(() -> Thread.sleep(1)),
        PARK(() -> LockSupport.parkNanos(1)),
        MONITOR(() -> {
            Object monitor = new Object();
            synchronized (monitor) {
                monitor.wait(1);
            }
        }),
        LATCH(() -> new CountDownLatch(1).await()),
        BLOCK(() -> Mono.never().block());

        private interface Call {
            void run() throws InterruptedException;
        }

        private final Call call;

        Waiting(Call call) {
            this.call = call;
        }
    }

    private static Mono<Throwable> on(Scheduler scheduler, Waiting waiting) {
        return Mono.fromCallable(() -> {
                    waiting.call.run();
                    return true;
                })
                .subscribeOn(scheduler)
                .then(Mono.<Throwable>empty())
                .onErrorResume(Throwable.class, Mono::just);
    }

    @ParameterizedTest
    @EnumSource
    void blockingOnNonBlockingThreadFails(Waiting waiting) {
        Throwable e = on(Schedulers.parallel(), waiting).block();
        assertThat(e)
                .isNotNull()
                .isInstanceOfAny(BlockingOperationError.class, IllegalStateException.class)
                .message()
                .containsIgnoringCase("block");
    }

    @Test
    void blockingOnElasticThreadIsAllowed() {
        assertThat(on(Schedulers.boundedElastic(), Waiting.PARK).block()).isNull();
    }
}
