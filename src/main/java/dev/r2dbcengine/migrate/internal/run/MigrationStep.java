package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * A migration that is being applied.
 *
 * @param rank the rank of its history row
 * @param since when it started, by {@link System#nanoTime()}
 */
record MigrationStep(FoundMigration migration, int rank, MigrationBody body, long since) {

    MigrationStep(FoundMigration migration, int rank, MigrationBody body) {
        this(migration, rank, body, System.nanoTime());
    }

    /** Returns whether it runs in a transaction. Reads the whole script unless its settings say so. */
    Mono<Boolean> inTransaction() {
        return body.inTransaction();
    }

    Duration time() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    Executed done() {
        return new Executed(migration, rank, time());
    }

    /** Returns its name for messages. */
    String title() {
        return migration.kind() == MigrationKind.UNDO
                ? "the undo of version " + migration.version()
                : "the " + FileName.title(migration.version(), migration.description());
    }

    /** Returns the file, and the line of the current statement. */
    String place() {
        ScriptStatement at = body.current();
        return migration.origin() + (at == null ? "" : ", line " + at.line());
    }
}
