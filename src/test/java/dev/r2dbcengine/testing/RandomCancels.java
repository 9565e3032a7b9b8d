package dev.r2dbcengine.testing;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * Cancels publishers of one kind at random times. Each eighth one is not cancelled and measures the current duration;
 * the others are cancelled within that duration.
 */
public final class RandomCancels {
    private static final long SEED = 20_261_128;
    private static final int UNCANCELLED = 8;

    private final Random random = new Random(SEED);
    private final AtomicLong usual = new AtomicLong(Duration.ofMillis(4).toNanos());
    private int number;

    /** Wraps the next publisher, for one subscriber; not thread safe. */
    public <T> Mono<T> next(Mono<T> run) {
        double part = random.nextDouble();
        return number++ % UNCANCELLED == 0 ? timed(run) : cancelled(run, part);
    }

    private <T> Mono<T> timed(Mono<T> run) {
        return Mono.defer(() -> {
            long start = System.nanoTime();
            return run.doOnSuccess(value -> usual.set((usual.get() * 3 + System.nanoTime() - start) / 4));
        });
    }

    private <T> Mono<T> cancelled(Mono<T> run, double part) {
        return Mono.defer(() -> Leaving.after(Duration.ofNanos((long) (part * usual.get())), run));
    }
}
