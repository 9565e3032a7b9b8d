package dev.r2dbcengine.testing;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * Cancels things of one kind at any moment of theirs: each eighth is left alone, and tells how long one takes at this
 * moment; the others are cancelled within that time.
 */
public final class RandomCancels {
    private static final long SEED = 20_261_128;
    private static final int LEFT_ALONE = 8;

    private final Random random = new Random(SEED);
    private final AtomicLong usual = new AtomicLong(Duration.ofMillis(4).toNanos());
    private int number;

    /** The next one, for one subscriber; not thread safe. */
    public <T> Mono<T> next(Mono<T> run) {
        double part = random.nextDouble();
        return number++ % LEFT_ALONE == 0 ? timed(run) : cancelled(run, part);
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
