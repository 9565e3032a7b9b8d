package dev.r2dbcengine.cli;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Waits for what a command does. When the process is told to stop (Ctrl-C), what is done is cancelled, and the process waits
 * until that is over and told, or for so long.
 */
final class Foreground implements AutoCloseable {

    /** Seconds, for the statement that runs, and for all that follows it. */
    private static final int LONGEST_END = 10;

    private static final int LONGEST_WAIT = 15;

    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop");

    /** As when Ctrl-C is pressed. Blocks until all is over. */
    void stop() {
        stop.tryEmitEmpty();
        await(over, LONGEST_WAIT);
    }

    /**
     * Blocks. Once only.
     *
     * @param end released when what was cancelled is over
     * @return empty when it was stopped
     */
    <T> Optional<T> await(Mono<T> work, CountDownLatch end) {
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
                await(end, LONGEST_END);
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
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // It has begun, and goes on now.
        }
    }
}
