package dev.r2dbcengine.testing;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Subscribers, each on a thread of its own, that a barrier releases together; again and again on the same threads. */
public final class Race implements AutoCloseable {
    private final int subscribers;
    private final Scheduler threads;

    /** A race of so many; they may block. */
    public Race(int subscribers) {
        this.subscribers = subscribers;
        // One queue for all threads: each that waits at the barrier leaves the next subscriber to another.
        this.threads = Schedulers.fromExecutorService(Executors.newFixedThreadPool(subscribers));
    }

    /** Subscribes what the function gives for 0, 1, 2 …, all at the same time; what they emitted, once all have ended. */
    public <T> List<T> run(IntFunction<Mono<T>> subscriber) {
        CyclicBarrier barrier = new CyclicBarrier(subscribers);
        Mono<List<T>> all = Flux.range(0, subscribers)
                .flatMap(
                        i -> Mono.defer(() -> {
                                    await(barrier);
                                    return subscriber.apply(i);
                                })
                                .subscribeOn(threads),
                        subscribers)
                .collectList();
        return Objects.requireNonNull(all.block());
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
