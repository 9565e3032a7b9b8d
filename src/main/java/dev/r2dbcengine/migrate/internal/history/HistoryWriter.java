package dev.r2dbcengine.migrate.internal.history;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.plan.FoundIndex;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Writes history rows as Flyway does. The database sets their time.
 *
 * @param condition on which a migration may be recorded; empty for none
 */
public record HistoryWriter(Engine engine, HistoryTable table, String installedBy, String condition) {

    private static final int LONGEST_SCRIPT = 1000;

    public HistoryWriter(Engine engine, HistoryTable table, String installedBy) {
        this(engine, table, installedBy, "");
    }

    /** Returns a writer on another connection, which holds no lock. */
    public HistoryWriter on(Engine other) {
        return new HistoryWriter(other, table, installedBy);
    }

    /** Returns a writer that records what a migration has done outside of a transaction, whether locked or not. */
    public HistoryWriter unconditional() {
        return on(engine);
    }

    /**
     * Returns a writer that records the begin or the end of a migration only while its session holds the lock, and
     * fails with a {@link LostLockException} otherwise. The check is a part of the statement that writes the row, so it
     * costs no round trip, and it runs in the transaction of the migration, so it sees the session that ran the
     * migration.
     */
    public HistoryWriter underLock() {
        return new HistoryWriter(engine, table, installedBy, table.text(MigrationSql.HOLDS_LOCK));
    }

    /**
     * Returns a writer in whose transaction the server answers the COMMIT before it has flushed its log. A crash of the
     * server may take back such a migration with its row, but never without those that were committed after it, and none
     * that was committed before a flush.
     */
    public HistoryWriter unflushed() {
        String unflushed = table.text(MigrationSql.UNFLUSHED_COMMIT);
        return new HistoryWriter(
                engine, table, installedBy, condition.isEmpty() ? unflushed : condition + " and " + unflushed);
    }

    public Mono<Void> insert(
            int rank,
            @Nullable MigrationVersion version,
            String description,
            MigrationType type,
            String script,
            @Nullable Integer checksum,
            Duration time,
            boolean success) {
        return engine.sql(table.insert(condition))
                .bind("installed_rank", rank)
                .bind("version", version == null ? null : version.toString(), String.class)
                .bind("description", FoundIndex.cut(description))
                .bind("type", type.name())
                .bind("script", cutScript(script))
                .bind("checksum", checksum, Integer.class)
                .bind("installed_by", installedBy)
                .bind("execution_time", Math.toIntExact(time.toMillis()))
                .bind("success", success)
                .update()
                .doOnNext(this::requireLock)
                .then();
    }

    private void requireLock(long rows) {
        if (rows == 0 && !condition.isEmpty()) {
            throw new LostLockException(table);
        }
    }

    public Mono<Void> insert(int rank, FoundMigration migration, Duration time, boolean success) {
        return insert(
                rank,
                migration.version(),
                migration.description(),
                migration.type(),
                migration.script(),
                migration.checksum(),
                time,
                success);
    }

    /** Inserts the row that marks a migration as deleted. */
    public Mono<Void> markDeleted(int rank, AppliedMigration row) {
        return insert(
                rank,
                row.version(),
                row.description(),
                MigrationType.DELETE,
                row.script(),
                row.checksum(),
                Duration.ZERO,
                true);
    }

    public Mono<Void> baseline(int rank, MigrationVersion version, String description) {
        return insert(rank, version, description, MigrationType.BASELINE, description, null, Duration.ZERO, true);
    }

    public Mono<Void> schemas(String script) {
        return insert(0, null, "<< Flyway Schema Creation >>", MigrationType.SCHEMA, script, null, Duration.ZERO, true);
    }

    public Mono<Void> mark(int rank, boolean success, Duration time) {
        return engine.sql(table.mark(condition))
                .bind("success", success)
                .bind("execution_time", Math.toIntExact(time.toMillis()))
                .bind("installed_rank", rank)
                .update()
                .doOnNext(this::requireLock)
                .then();
    }

    public Mono<Void> align(int rank, FoundMigration found) {
        return engine.sql(table.align())
                .bind("description", FoundIndex.cut(found.description()))
                .bind("type", found.type().name())
                .bind("checksum", found.checksum(), Integer.class)
                .bind("installed_rank", rank)
                .update()
                .then();
    }

    public Mono<Void> remove(int rank) {
        return engine.sql(table.delete(condition))
                .bind("installed_rank", rank)
                .update()
                .doOnNext(this::requireLock)
                .then();
    }

    /** Shortens a path as Flyway does: without its beginning. */
    public static String cutScript(String script) {
        return script.length() <= LONGEST_SCRIPT ? script : "..." + script.substring(3, LONGEST_SCRIPT);
    }
}
