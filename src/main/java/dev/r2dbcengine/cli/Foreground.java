package dev.r2dbcengine.cli;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Runs a command and waits for it. On SIGINT, SIGTERM or SIGHUP, a shutdown hook cancels the command and delays the exit
 * until its cleanup has ended and its result is printed, for at most 20 s.
 */
final class Foreground implements AutoCloseable {

    /** Seconds for the cancel requests, the rollback and the release of the lock; one request is sent per second. */
    private static final int MAX_CLEANUP = 10;

    /** Seconds until the process exits anyway. */
    private static final int MAX_SHUTDOWN = 20;

    /** The threads on which the JDK handles a signal, and the exit code that it causes. */
    private static final Map<String, Integer> SIGNALS = Map.of("SIGHUP handler", 129, "SIGTERM handler", 143);

    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop");
    private volatile int exitCode = CommandResult.INTERRUPTED;

    /** Cancels the command, as Ctrl-C does, and blocks until {@link #close()}. */
    void stop() {
        exitCode = Thread.getAllStackTraces().keySet().stream()
                .mapToInt(thread -> SIGNALS.getOrDefault(thread.getName(), CommandResult.INTERRUPTED))
                .filter(code -> code != CommandResult.INTERRUPTED)
                .findFirst()
                .orElse(CommandResult.INTERRUPTED);
        stop.tryEmitEmpty();
        await(closed, MAX_SHUTDOWN);
    }

    /**
     * Blocks until the work terminates. May be called once.
     *
     * @param cleanedUp released when the cleanup of a cancelled work has ended
     * @param cancelStatement asks the database to cancel the statement that a cancelled work waits for
     * @return the value
     * @throws InterruptedTaskException if the work was cancelled
     */
    <T> T await(Mono<T> work, CountDownLatch cleanedUp, Mono<Void> cancelStatement) {
        Runtime.getRuntime().addShutdownHook(hook);
        AtomicBoolean stopped = new AtomicBoolean();
        Mono<Void> stopping = stop.asMono().doOnTerminate(() -> stopped.set(true));
        Optional<T> value;
        try {
            value = work.takeUntilOther(stopping).blockOptional();
        } catch (RuntimeException e) {
            if (!stopped.get()) {
                throw e;
            }
            value = Optional.empty();
        }
        boolean ended = !stopped.get() || cancelled(cleanedUp, cancelStatement);
        return value.orElseThrow(() -> new InterruptedTaskException(exitCode, ended));
    }

    /** Repeats the request, since a run may start one more statement, such as that of an error callback. */
    private static boolean cancelled(CountDownLatch cleanedUp, Mono<Void> cancelStatement) {
        Mono<Void> request =
                cancelStatement.timeout(Duration.ofSeconds(MAX_CLEANUP)).onErrorComplete();
        for (int seconds = 0; seconds < MAX_CLEANUP && cleanedUp.getCount() > 0; seconds++) {
            request.subscribe();
            await(cleanedUp, 1);
        }
        return cleanedUp.getCount() == 0;
    }

    private static void await(CountDownLatch latch, int seconds) {
        try {
            latch.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
