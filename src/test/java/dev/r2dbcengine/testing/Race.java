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

/** Subscribers on their own threads, which a barrier releases together, repeatedly on the same threads. */
public final class Race implements AutoCloseable {
    private final int subscribers;
    private final Scheduler threads;

    /** Creates a race of this many subscribers, which may block. */
    public Race(int subscribers) {
        this.subscribers = subscribers;
        // One queue for all threads: a thread that waits at the barrier leaves the next subscriber to another.
        this.threads = Schedulers.fromExecutorService(Executors.newFixedThreadPool(subscribers));
    }

    /** Subscribes the publishers for 0, 1, 2 … at the same time. Returns their values when all have completed. */
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
