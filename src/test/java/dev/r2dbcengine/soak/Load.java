package dev.r2dbcengine.soak;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Lanes of operations, one after another in each. The seed determines the n-th operation of a lane and its random
 * choices; the timing between the lanes varies.
 */
final class Load implements AutoCloseable {
    static final int LANES = 4;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Sites sites;
    private final long seed;
    private final Map<Operation, AtomicLong> done = new EnumMap<>(Operation.class);
    private final long[] begun = new long[LANES];
    /* Half of the lanes may block, as those of a servlet may; the queue takes no lock, since others fill it too. */
    private final Scheduler blocking = Schedulers.fromExecutorService(
            new ThreadPoolExecutor(LANES / 2, LANES / 2, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>()));
    private final Scheduler nonBlocking = Schedulers.newParallel("soak", LANES / 2);

    Load(Sites sites, long seed) {
        this.sites = sites;
        this.seed = seed;
        Operation.all().forEach(operation -> done.put(operation, new AtomicLong()));
    }

    /** Runs a number of operations in each lane, or as many as fit into the time; completes with the last one. */
    Mono<Void> run(int operations, Duration time) {
        return Flux.range(0, LANES)
                .flatMap(lane -> lane(lane, operations, time))
                .then();
    }

    private Flux<Void> lane(int lane, int operations, Duration time) {
        Scheduler thread = lane % 2 == 0 ? blocking : nonBlocking;
        return Flux.<Dice>generate(sink -> sink.next(new Dice(seed, lane, begun[lane]++)))
                .take(operations)
                .takeUntilOther(Mono.delay(time))
                .concatMap(dice -> operation(dice).subscribeOn(thread), 1);
    }

    private Mono<Void> operation(Dice dice) {
        Operation operation = dice.oneOf(Operation.all());
        return operation
                .run(sites, dice)
                .timeout(TIMEOUT)
                .onErrorMap(failure -> new AssertionError(operation + ", " + dice, failure))
                .doOnSuccess(nothing -> count(operation).incrementAndGet());
    }

    private AtomicLong count(Operation operation) {
        return Objects.requireNonNull(done.get(operation));
    }

    /** Returns the number of operations of each kind so far. */
    Map<Operation, AtomicLong> done() {
        return done;
    }

    long total() {
        return done.values().stream().mapToLong(AtomicLong::get).sum();
    }

    @Override
    public void close() {
        blocking.dispose();
        nonBlocking.dispose();
    }
}
