package dev.r2dbcengine.cli;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Runs a command and waits for it. On SIGINT or SIGTERM, a shutdown hook cancels the command and delays the exit until
 * its cleanup has ended and its result is printed, for at most 15 s.
 */
final class Foreground implements AutoCloseable {

    /** Seconds for the running statement, the rollback and the release of the lock. */
    private static final int MAX_CLEANUP = 10;

    /** Seconds until the process exits anyway. */
    private static final int MAX_SHUTDOWN = 15;

    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop");

    /** Cancels the command, as Ctrl-C does, and blocks until {@link #close()}. */
    void stop() {
        stop.tryEmitEmpty();
        await(closed, MAX_SHUTDOWN);
    }

    /**
     * Blocks until the work terminates. May be called once.
     *
     * @param cleanedUp released when the cleanup of a cancelled work has ended
     * @return the value; empty if the work was cancelled
     */
    <T> Optional<T> await(Mono<T> work, CountDownLatch cleanedUp) {
        Runtime.getRuntime().addShutdownHook(hook);
        AtomicBoolean stopped = new AtomicBoolean();
        Mono<Void> stopping = stop.asMono().doOnTerminate(() -> stopped.set(true));
        try {
            return work.takeUntilOther(stopping).blockOptional();
        } catch (RuntimeException e) {
            if (!stopped.get()) {
                throw e;
            }
            return Optional.empty();
        } finally {
            if (stopped.get()) {
                await(cleanedUp, MAX_CLEANUP);
            }
        }
    }

    private static boolean await(CountDownLatch latch, int seconds) {
        try {
            return latch.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook is already running; the count-down lets it finish.
        }
    }
}
