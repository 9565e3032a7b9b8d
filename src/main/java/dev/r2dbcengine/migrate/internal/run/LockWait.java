package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.LockHolder;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import io.r2dbc.spi.Row;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * Polls for the lock of a run with random pauses, reports its holder, and fails at the timeout.
 *
 * @param refusals the number of refused attempts of the run: reports become less frequent as it grows
 */
record LockWait(
        MigrationSettings settings, HistoryTable table, Engine asking, RunSubscriber subscriber, AtomicLong refusals) {

    private static final long SHORTEST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 250;

    LockWait(MigrationSettings settings, HistoryTable table, RunConnection run) {
        this(settings, table, run.engine(), run.subscriber(), new AtomicLong());
    }

    /**
     * Repeats an attempt until it emits.
     *
     * @param attempt empty while another session holds the lock
     */
    <T> Mono<T> until(Mono<T> attempt) {
        return Mono.defer(() -> {
            long since = System.nanoTime();
            return subscriber
                    .orStop(attempt)
                    .repeatWhenEmpty(Integer.MAX_VALUE, again -> again.concatMap(count -> pause(since)));
        });
    }

    private Mono<Long> pause(long since) {
        Duration waited = Duration.ofNanos(System.nanoTime() - since);
        boolean isUp = !settings.lockTimeout.isZero() && waited.compareTo(settings.lockTimeout) > 0;
        Mono<Void> told = Long.bitCount(refusals.incrementAndGet()) == 1 || isUp
                ? holder(asking, table)
                        .flatMap(
                                holder -> tell(waited, holder).then(isUp ? Mono.error(timeIsUp(holder)) : Mono.empty()))
                : Mono.empty();
        return told.then(
                Mono.delay(Duration.ofMillis(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE, LONGEST_PAUSE))));
    }

    private Mono<Void> tell(Duration waited, Optional<LockHolder> holder) {
        return Mono.fromRunnable(
                () -> settings.tell(listener -> listener.lockAwaited(table.qualified(), waited, holder.orElse(null))));
    }

    private MigrationException timeIsUp(Optional<LockHolder> holder) {
        return new MigrationException(
                holder.map(LockHolder::toString).orElse("Another session") + " has the lock of " + table.qualified()
                        + ", which was awaited for " + settings.lockTimeout
                        + ". Wait for that run to end, or raise lockTimeout",
                null);
    }

    MigrationException unanswered(Throwable e) {
        return new MigrationException(
                "The database has not answered for " + settings.lockTimeout + " whether the lock of "
                        + table.qualified()
                        + " is free, and the connection was closed. See that it runs and can be reached, or raise"
                        + " lockTimeout",
                e);
    }

    /** Finds the holder of the lock; empty if the lock is free by now, or if the database does not report holders. */
    static Mono<Optional<LockHolder>> holder(Engine asking, HistoryTable table) {
        String text = table.text(MigrationSql.LOCK_HOLDER);
        return text.isEmpty()
                ? Mono.just(Optional.empty())
                : asking.sql(text)
                        .timeout(SnapshotReader.ANSWER_TIMEOUT)
                        .map((row, columns) -> holder(row))
                        .first()
                        .map(Optional::of)
                        .onErrorComplete()
                        .defaultIfEmpty(Optional.empty());
    }

    private static LockHolder holder(Row row) {
        Long seconds = row.get("engine_seconds", Long.class);
        return new LockHolder(
                Objects.requireNonNullElse(row.get("engine_session", String.class), "unknown"),
                row.get("engine_user", String.class),
                row.get("engine_client", String.class),
                seconds == null ? null : Duration.ofSeconds(seconds));
    }
}
