package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** What a run has left that lost its connection, seen on another one. */
record LostRun(RunConnection run, HistoryTable table) {

    /**
     * The truth: when nobody holds the lock any more, the server has ended the session that was lost. As long as somebody
     * does, it may still do so.
     */
    Mono<String> whatBecameOf(ResolvedMigration migration, int rank) {
        return Mono.usingWhen(run.source().engine(), this::look, Connection::close)
                .map(seen -> seen.tell(migration, rank))
                .onErrorResume(e -> Mono.just(
                        "What became of it is not known, since the history cannot be read (" + Dialect.describe(e)
                                + "): run again when the database is there, what it has is not run twice."));
    }

    /* The holder first: what it does until the rows are read is then among them, or it is named. */
    private Mono<Seen> look(Connection connection) {
        Engine other = Engine.on(new OneConnection(connection, run.source().engine()), run.dialect());
        return LockWait.holder(other, table).zipWhen(holder -> Looker.history(other, table), Seen::new);
    }

    private record Seen(Optional<LockHolder> holder, List<AppliedMigration> rows) {

        String tell(ResolvedMigration migration, int rank) {
            return rows.stream()
                            .filter(row -> row.rank() >= rank
                                    && row.script().equals(HistoryWriter.cutScript(migration.script())))
                            .findFirst()
                            .map(row -> row.success() ? applied() : failed())
                            .orElse("The history does not have it, and what it did was rolled back: run again.")
                    + holder.map(held ->
                                    " That may change: " + held + " has the lock. It may be what the server has not"
                                            + " ended yet, or another run; the next run waits for it.")
                            .orElse("");
        }

        private static String applied() {
            return "The history has it as applied, with all that it did: run again for what follows.";
        }

        private static String failed() {
            return "What it did may stay, and the history has it as failed: undo by hand what it did, call repair(), and run"
                    + " again.";
        }
    }
}
