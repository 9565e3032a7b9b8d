package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.LockHolder;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Finds out on another connection what a run with a lost connection has left. */
record ConnectionLossReport(RunConnection run, HistoryTable table, HistoryRecorder recording) {

    /**
     * Returns the outcome of a step. It is final if the lock is free, since the server has then ended the lost session;
     * otherwise that session may still commit.
     */
    Mono<String> whatBecameOf(MigrationStep step) {
        return run.elsewhere(this::look)
                .map(seen -> tell(seen, step))
                .onErrorResume(e ->
                        Mono.just("Its outcome is not known, since the history cannot be read (" + Dialect.describe(e)
                                + "): run again when the database is up, applied migrations are not run twice."));
    }

    private record Seen(Optional<LockHolder> holder, List<AppliedMigration> rows) {}

    /* Reads the holder before the rows: its commits until then are among the rows, and otherwise it is named. */
    private Mono<Seen> look(Engine other) {
        return LockWait.holder(other, table).zipWhen(holder -> SnapshotReader.history(other, table), Seen::new);
    }

    private String tell(Seen seen, MigrationStep step) {
        return recording.outcome(recording.row(seen.rows, step).orElse(null))
                + seen.holder
                        .map(holder ->
                                " That may change: " + holder + " holds the lock. It may be the lost session, which the"
                                        + " server has not ended yet, or another run; the next run waits for it.")
                        .orElse("");
    }
}
