package dev.r2dbcengine.cli;

import static dev.r2dbcengine.cli.RunnerOption.list;
import static dev.r2dbcengine.cli.RunnerOption.none;
import static dev.r2dbcengine.cli.RunnerOption.scope;
import static dev.r2dbcengine.cli.RunnerOption.text;
import static dev.r2dbcengine.cli.RunnerOption.time;
import static dev.r2dbcengine.cli.RunnerOption.yesOrNo;

import dev.r2dbcengine.migrate.MigrationRunner;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The settings of the commands. Flag, environment variable and key of a file are derived from the name of a constant:
 * {@code LOCK_TIMEOUT} is {@code --lock-timeout}, {@code R2E_LOCK_TIMEOUT} and {@code lockTimeout}; a setting
 * that Flyway has too can also be written as {@code FLYWAY_TABLE} and {@code flyway.table}.
 */
enum RunSetting {
    URL(
            true,
            "URL of the database: r2dbc:postgresql://host:5432/db, r2dbc:mariadb://…, r2dbc:h2:file:///…",
            none("URL")),
    USER(true, "user of the database", none("NAME")),
    PASSWORD(true, "", none("")),
    PASSWORD_FILE(false, "file whose first line is the password", none("FILE")),
    LOCATIONS(
            true,
            "locations of the scripts; default: filesystem:db/migration",
            list("PLACE", MigrationRunner::locations)),
    SCHEMAS(true, "schemas to migrate; the first one holds the history", list("NAME", MigrationRunner::schemas)),
    DEFAULT_SCHEMA(
            true, "schema of the history; default: the first schema", text("NAME", MigrationRunner::defaultSchema)),
    CREATE_SCHEMAS(true, "create missing schemas; default: true", yesOrNo(MigrationRunner::createSchemas)),
    TABLE(true, "history table; default: flyway_schema_history", text("NAME", MigrationRunner::table)),
    TARGET(true, "last version to apply: a version, latest, current or next", text("VERSION", MigrationRunner::target)),
    CHERRY_PICK(true, "only these versions or descriptions, in this order", list("WHICH", MigrationRunner::cherryPick)),
    OUT_OF_ORDER(true, "apply versions below the newest applied one", yesOrNo(MigrationRunner::outOfOrder)),
    GROUP(
            true,
            "apply all pending migrations in one transaction, if DDL is transactional",
            yesOrNo(MigrationRunner::group)),
    MIXED(true, "allow transactional and other statements in one script", yesOrNo(MigrationRunner::mixed)),
    SKIP_EXECUTING_MIGRATIONS(
            true, "record pending migrations without running them", yesOrNo(MigrationRunner::skipExecutingMigrations)),
    VALIDATE_ON_MIGRATE(true, "validate before migrating; default: true", yesOrNo(MigrationRunner::validateOnMigrate)),
    IGNORE_MIGRATION_PATTERNS(
            true,
            "migrations that validation ignores; default: *:future",
            list("PATTERN", MigrationRunner::ignoreMigrationPatterns)),
    BASELINE_ON_MIGRATE(
            true,
            "record a baseline if the schema has objects but no history",
            yesOrNo(MigrationRunner::baselineOnMigrate)),
    BASELINE_VERSION(true, "version of a baseline; default: 1", text("VERSION", MigrationRunner::baselineVersion)),
    BASELINE_DESCRIPTION(true, "description of a baseline", text("TEXT", MigrationRunner::baselineDescription)),
    INSTALLED_BY(
            true,
            "user name recorded in the history; default: the database's user",
            text("NAME", MigrationRunner::installedBy)),
    PLACEHOLDER_REPLACEMENT(
            true, "replace placeholders; default: true", yesOrNo(MigrationRunner::placeholderReplacement)),
    PLACEHOLDER_PREFIX(true, "prefix of a placeholder; default: $${", text("TEXT", MigrationRunner::placeholderPrefix)),
    PLACEHOLDER_SUFFIX(true, "suffix of a placeholder; default: }", text("TEXT", MigrationRunner::placeholderSuffix)),
    ENCODING(
            true,
            "encoding of the scripts; default: UTF-8",
            text("NAME", (runner, name) -> runner.encoding(Charset.forName(name)))),
    SQL_MIGRATION_PREFIX(
            true, "prefix of versioned scripts; default: V", text("TEXT", MigrationRunner::sqlMigrationPrefix)),
    REPEATABLE_SQL_MIGRATION_PREFIX(
            true,
            "prefix of repeatable scripts; default: R",
            text("TEXT", MigrationRunner::repeatableSqlMigrationPrefix)),
    BASELINE_MIGRATION_PREFIX(
            true, "prefix of baseline scripts; default: B", text("TEXT", MigrationRunner::baselineMigrationPrefix)),
    SQL_MIGRATION_SEPARATOR(
            true,
            "separator of version and description; default: __",
            text("TEXT", MigrationRunner::sqlMigrationSeparator)),
    SQL_MIGRATION_SUFFIXES(
            true, "suffixes of scripts; default: .sql", list("TEXT", MigrationRunner::sqlMigrationSuffixes)),
    VALIDATE_MIGRATION_NAMING(
            true,
            "fail on .sql files that are not named like a migration",
            yesOrNo(MigrationRunner::validateMigrationNaming)),
    CLEAN_DISABLED(true, "refuse clean; default: true", yesOrNo(MigrationRunner::cleanDisabled)),
    LOCK(
            false,
            "scope of the lock; default: session; transaction: for transaction-pooling proxies",
            scope(MigrationRunner::lock)),
    LOCK_TIMEOUT(
            false,
            "how long to wait for another run; default: 5m; 0 waits without limit",
            time(MigrationRunner::lockTimeout)),
    WAIT(
            false,
            "how long to wait for a database that is starting: 60s, 2m; default: 0",
            time(MigrationRunner::connectTimeout));

    /** The prefix of all environment variables. Spring's relaxed binding must not map it to {@code r2dbc-engine}. */
    static final String VARIABLE = "R2E_";

    /** A prefix that is not read, since {@code R2DBC_ENGINE_URL} configures a Spring application. */
    static final String SPRING_VARIABLE = "R2DBC_ENGINE_";

    /** The prefix of Flyway's environment variables. */
    static final String FLYWAY_VARIABLE = "FLYWAY_";

    /** The prefix of Flyway's keys. */
    static final String FLYWAY = "flyway.";

    private final boolean flyway;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final RunnerOption option;

    RunSetting(boolean flyway, String description, RunnerOption option) {
        this.flyway = flyway;
        this.description = description;
        this.option = option;
    }

    /** The password has no flag, since other users can read the arguments of a process. */
    List<String> flags() {
        return this == PASSWORD
                ? List.of()
                : List.of("--" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    List<String> variables() {
        return flyway ? List.of(VARIABLE + name(), FLYWAY_VARIABLE + name()) : List.of(VARIABLE + name());
    }

    List<String> keys() {
        return flyway ? List.of(key(), FLYWAY + key()) : List.of(key());
    }

    /** Returns the name of the runner's method. */
    String method() {
        return this == WAIT ? "connectTimeout" : key();
    }

    private String key() {
        StringBuilder key = new StringBuilder();
        for (String word : name().split("_", -1)) {
            key.append(key.isEmpty() ? "" : word.charAt(0))
                    .append(word.substring(key.isEmpty() ? 0 : 1).toLowerCase(Locale.ROOT));
        }
        return key.toString();
    }

    String description() {
        return description;
    }

    RunnerOption option() {
        return option;
    }

    static Stream<RunSetting> all() {
        return Stream.of(values());
    }
}
