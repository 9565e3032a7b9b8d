package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The options of the migrations, as {@code r2dbc-engine.migrate} tells them.
 *
 * @param enabled Whether the database is migrated when the application starts.
 * @param locations Where the scripts are. Unless set, classpath:db/migration.
 * @param encoding Of the scripts. Unless set, UTF-8.
 * @param table History table. Unless set, flyway_schema_history.
 * @param schemas Schemas that the migrations are about.
 * @param defaultSchema Schema of the history, if it is not the first one.
 * @param createSchemas Whether schemas that are missing are created. Unless set, true.
 * @param target How far to go: a version, latest, current or next.
 * @param cherryPick Only these versions or descriptions, in this order.
 * @param outOfOrder Whether versions below the newest applied one are applied.
 * @param group Whether all that is pending is one transaction, where DDL can be.
 * @param mixed Whether a script may mix what can and what cannot be in a transaction.
 * @param skipExecutingMigrations Whether what is pending is only recorded.
 * @param validateOnMigrate Whether a run validates first. Unless set, true.
 * @param ignoreMigrationPatterns What validation does not look at. Unless set, *:future.
 * @param baselineOnMigrate Whether objects without a history are taken for the baseline.
 * @param baselineVersion Version of a baseline. Unless set, 1.
 * @param baselineDescription Description of a baseline.
 * @param installedBy Who applies, for the history. Unless set, the user of the database.
 * @param placeholders What stands for what in scripts.
 * @param placeholderReplacement Whether placeholders are replaced. Unless set, true.
 * @param placeholderPrefix Begins a placeholder.
 * @param placeholderSuffix Ends a placeholder.
 * @param sqlMigrationPrefix Begins the names of versioned scripts. Unless set, V.
 * @param repeatableSqlMigrationPrefix Begins the names of repeatable scripts. Unless set, R.
 * @param baselineMigrationPrefix Begins the names of baseline scripts. Unless set, B.
 * @param sqlMigrationSeparator Parts version and description. Unless set, two underscores.
 * @param sqlMigrationSuffixes End the names of scripts. Unless set, .sql.
 * @param validateMigrationNaming Whether a SQL file that is no migration is an error.
 * @param cleanDisabled Whether clean is refused. Unless set, true.
 * @param lock How long the lock lasts: session, or transaction for proxies that share sessions.
 * @param lockTimeout How long to wait while somebody else migrates. Unless set, 5 minutes. Zero waits for ever.
 * @param connectTimeout How long to wait for a database that is coming up. Zero, as unless set, does not wait.
 */
record MigrateProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable List<String> locations,
        @Nullable Charset encoding,
        @Nullable String table,
        @Nullable List<String> schemas,
        @Nullable String defaultSchema,
        @Nullable Boolean createSchemas,
        @Nullable String target,
        @Nullable List<String> cherryPick,
        @Nullable Boolean outOfOrder,
        @Nullable Boolean group,
        @Nullable Boolean mixed,
        @Nullable Boolean skipExecutingMigrations,
        @Nullable Boolean validateOnMigrate,
        @Nullable List<String> ignoreMigrationPatterns,
        @Nullable Boolean baselineOnMigrate,
        @Nullable String baselineVersion,
        @Nullable String baselineDescription,
        @Nullable String installedBy,
        @Nullable Map<String, String> placeholders,
        @Nullable Boolean placeholderReplacement,
        @Nullable String placeholderPrefix,
        @Nullable String placeholderSuffix,
        @Nullable String sqlMigrationPrefix,
        @Nullable String repeatableSqlMigrationPrefix,
        @Nullable String baselineMigrationPrefix,
        @Nullable String sqlMigrationSeparator,
        @Nullable List<String> sqlMigrationSuffixes,
        @Nullable Boolean validateMigrationNaming,
        @Nullable Boolean cleanDisabled,
        @Nullable LockScope lock,
        @Nullable Duration lockTimeout,
        @Nullable Duration connectTimeout) {

    /** That runner with what is set here. */
    MigrationRunner apply(MigrationRunner plain) {
        return new Options(plain)
                .list(locations, MigrationRunner::locations)
                .set(encoding, MigrationRunner::encoding)
                .set(table, MigrationRunner::table)
                .list(schemas, MigrationRunner::schemas)
                .set(defaultSchema, MigrationRunner::defaultSchema)
                .set(createSchemas, MigrationRunner::createSchemas)
                .set(target, MigrationRunner::target)
                .list(cherryPick, MigrationRunner::cherryPick)
                .set(outOfOrder, MigrationRunner::outOfOrder)
                .set(group, MigrationRunner::group)
                .set(mixed, MigrationRunner::mixed)
                .set(skipExecutingMigrations, MigrationRunner::skipExecutingMigrations)
                .set(validateOnMigrate, MigrationRunner::validateOnMigrate)
                .list(ignoreMigrationPatterns, MigrationRunner::ignoreMigrationPatterns)
                .set(baselineOnMigrate, MigrationRunner::baselineOnMigrate)
                .set(baselineVersion, MigrationRunner::baselineVersion)
                .set(baselineDescription, MigrationRunner::baselineDescription)
                .set(installedBy, MigrationRunner::installedBy)
                .set(placeholders, MigrationRunner::placeholders)
                .set(placeholderReplacement, MigrationRunner::placeholderReplacement)
                .set(placeholderPrefix, MigrationRunner::placeholderPrefix)
                .set(placeholderSuffix, MigrationRunner::placeholderSuffix)
                .set(sqlMigrationPrefix, MigrationRunner::sqlMigrationPrefix)
                .set(repeatableSqlMigrationPrefix, MigrationRunner::repeatableSqlMigrationPrefix)
                .set(baselineMigrationPrefix, MigrationRunner::baselineMigrationPrefix)
                .set(sqlMigrationSeparator, MigrationRunner::sqlMigrationSeparator)
                .list(sqlMigrationSuffixes, MigrationRunner::sqlMigrationSuffixes)
                .set(validateMigrationNaming, MigrationRunner::validateMigrationNaming)
                .set(cleanDisabled, MigrationRunner::cleanDisabled)
                .set(lock, MigrationRunner::lock)
                .set(lockTimeout, MigrationRunner::lockTimeout)
                .set(connectTimeout, MigrationRunner::connectTimeout)
                .runner();
    }

    /** A runner with the options so far; what is not set stays as it is. */
    private record Options(MigrationRunner runner) {

        <T> Options set(@Nullable T value, BiFunction<MigrationRunner, T, MigrationRunner> option) {
            return value == null ? this : new Options(option.apply(runner, value));
        }

        Options list(@Nullable List<String> values, BiFunction<MigrationRunner, String[], MigrationRunner> option) {
            return set(values == null ? null : values.toArray(String[]::new), option);
        }
    }
}
