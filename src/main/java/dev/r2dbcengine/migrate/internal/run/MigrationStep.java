package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * A migration whose turn it is.
 *
 * @param migration which one
 * @param rank of its row
 * @param body what it does
 * @param since when its turn came, by {@link System#nanoTime()}
 */
record MigrationStep(FoundMigration migration, int rank, MigrationBody body, long since) {

    MigrationStep(FoundMigration migration, int rank, MigrationBody body) {
        this(migration, rank, body, System.nanoTime());
    }

    /** Whether it runs in a transaction. Reads all of a script that does not say so. */
    Mono<Boolean> inTransaction() {
        return body.inTransaction();
    }

    Duration time() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    Executed done() {
        return new Executed(migration, rank, time());
    }

    /** How messages name it. */
    String title() {
        return migration.kind() == MigrationKind.UNDO
                ? "the undo of version " + migration.version()
                : "the " + FileName.title(migration.version(), migration.description());
    }

    /** Where it is. */
    String place() {
        ScriptStatement at = body.current();
        return migration.origin() + (at == null ? "" : ", line " + at.line());
    }
}
