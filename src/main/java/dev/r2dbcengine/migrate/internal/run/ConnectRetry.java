package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.sql.StatementTimeoutException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Retries the first connection to a database that does not answer yet. */
record ConnectRetry(MigrationSettings settings) {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int LAST_DOUBLING = 5;
    private static final int MOST_CAUSES = 16;

    /** Repeats an attempt until the database answers or the time is up. */
    <T> Mono<T> around(Mono<T> attempt) {
        return settings.connectTimeout.isZero() ? attempt : Mono.defer(() -> again(attempt, now()));
    }

    private <T> Mono<T> again(Mono<T> attempt, Duration since) {
        return attempt.retryWhen(Retry.from(failures ->
                failures.concatMap(failed -> pause(failed.totalRetries(), failed.failure(), now().minus(since)))));
    }

    private Mono<Long> pause(long count, Throwable failure, Duration waited) {
        if (!mayPass(failure)) {
            return Mono.error(failure);
        }
        Duration left = settings.connectTimeout.minus(waited);
        if (left.isNegative() || left.isZero()) {
            return Mono.error(new MigrationException(
                    "The database has not answered for " + settings.connectTimeout + ", in "
                            + Printable.count(count + 1, "attempt")
                            + ". See that it runs and that the URL is right, or raise connectTimeout",
                    failure));
        }
        settings.tell(listener -> listener.connectionAwaited(waited, failure));
        return Mono.delay(shorter(left, shorter(LONGEST_PAUSE, SHORTEST_PAUSE.multipliedBy(1L << doublings(count)))));
    }

    private static int doublings(long count) {
        return (int) Math.min(count, LAST_DOUBLING);
    }

    /** The last attempt is made when the time is up. */
    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Returns whether a later attempt may succeed: there was no connection, none was free, or the server is starting.
     */
    private static boolean mayPass(Throwable failure) {
        return isIn(failure, ConnectRetry::isLate)
                || ((Dialect.ANSI.kindOf(failure) == ErrorKind.CONNECTION_LOST
                                || isIn(failure, ConnectRetry::isOfResource))
                        && !isIn(failure, ConnectRetry::isRefusedLogin));
    }

    private static boolean isLate(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof R2dbcTimeoutException
                || failure instanceof StatementTimeoutException;
    }

    private static boolean isOfResource(Throwable failure) {
        return failure instanceof R2dbcNonTransientResourceException || failure instanceof IOException;
    }

    private static boolean isRefusedLogin(Throwable failure) {
        return failure instanceof R2dbcException told
                && Objects.requireNonNullElse(told.getSqlState(), "").startsWith("28");
    }

    private static boolean isIn(Throwable failure, Predicate<Throwable> kind) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(kind);
    }

    /** Reads the clock of the scheduler of the pauses, which may be virtual. */
    private static Duration now() {
        return Duration.ofMillis(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }
}
