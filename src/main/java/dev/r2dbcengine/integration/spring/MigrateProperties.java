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
 * The properties {@code r2dbc-engine.migrate}.
 *
 * @param enabled Whether to migrate the database when the application starts.
 * @param locations Locations of the scripts. Default: classpath:db/migration.
 * @param encoding Encoding of the scripts. Default: UTF-8.
 * @param table History table. Default: flyway_schema_history.
 * @param schemas Schemas to migrate; the first one holds the history.
 * @param defaultSchema Schema of the history. Default: the first schema.
 * @param createSchemas Whether to create missing schemas. Default: true.
 * @param target Last version to apply: a version, latest, current or next.
 * @param cherryPick Versions or descriptions to apply, in this order; all others are left out.
 * @param outOfOrder Whether to apply versions below the newest applied one.
 * @param group Whether to apply all pending migrations in one transaction, if DDL is transactional.
 * @param mixed Whether a script may contain transactional and other statements.
 * @param skipExecutingMigrations Whether to record pending migrations without running them.
 * @param validateOnMigrate Whether to validate before migrating. Default: true.
 * @param ignoreMigrationPatterns Migrations that validation ignores. Default: *:future.
 * @param baselineOnMigrate Whether to record a baseline if the schema has objects but no history.
 * @param baselineVersion Version of a baseline. Default: 1.
 * @param baselineDescription Description of a baseline.
 * @param installedBy User name recorded in the history. Default: the user of the database.
 * @param placeholders Values of placeholders in scripts, by name.
 * @param placeholderReplacement Whether to replace placeholders. Default: true.
 * @param placeholderPrefix Prefix of a placeholder.
 * @param placeholderSuffix Suffix of a placeholder.
 * @param sqlMigrationPrefix File name prefix of versioned scripts. Default: V.
 * @param repeatableSqlMigrationPrefix File name prefix of repeatable scripts. Default: R.
 * @param baselineMigrationPrefix File name prefix of baseline scripts. Default: B.
 * @param sqlMigrationSeparator Separator of version and description. Default: two underscores.
 * @param sqlMigrationSuffixes File name suffixes of scripts. Default: .sql.
 * @param validateMigrationNaming Whether to fail on SQL files that are not named like a migration.
 * @param cleanDisabled Whether to refuse clean. Default: true.
 * @param lock Scope of the lock: session, or transaction for transaction-pooling proxies. Default: session.
 * @param lockTimeout How long to wait for another run. Default: 5 minutes. Zero waits without limit.
 * @param connectTimeout How long to wait for a database that is starting. Default: zero, which does not wait.
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

    /** Returns the runner with the options that are set. */
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

    /** Accumulates options; null leaves an option unchanged. */
    private record Options(MigrationRunner runner) {

        <T> Options set(@Nullable T value, BiFunction<MigrationRunner, T, MigrationRunner> option) {
            return value == null ? this : new Options(option.apply(runner, value));
        }

        Options list(@Nullable List<String> values, BiFunction<MigrationRunner, String[], MigrationRunner> option) {
            return set(values == null ? null : values.toArray(String[]::new), option);
        }
    }
}
