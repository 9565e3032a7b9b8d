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
 * What can be set: one row is the flag, the environment variable, the key in a file, Flyway's key, and what becomes of the
 * value. All names come from the name of the row: {@code LOCK_TIMEOUT} is {@code --lock-timeout}, {@code
 * R2DBC_ENGINE_LOCK_TIMEOUT} and {@code lockTimeout}; where Flyway means the same by it, {@code flyway.lockTimeout} too.
 */
enum RunSetting {
    URL(
            true,
            "URL of the database: r2dbc:postgresql://host:5432/db, r2dbc:mariadb://…, r2dbc:h2:file:///…",
            none("URL")),
    USER(true, "user, unless the URL has one", none("NAME")),
    PASSWORD(true, "", none("")),
    PASSWORD_FILE(false, "file whose first line is the password", none("FILE")),
    LOCATIONS(
            true,
            "where the scripts are; unless set, filesystem:db/migration",
            list("PLACE", MigrationRunner::locations)),
    SCHEMAS(true, "schemas, the first one holds the history", list("NAME", MigrationRunner::schemas)),
    DEFAULT_SCHEMA(true, "schema of the history, if it is not the first", text("NAME", MigrationRunner::defaultSchema)),
    CREATE_SCHEMAS(true, "create schemas that are missing; unless set, true", yesOrNo(MigrationRunner::createSchemas)),
    TABLE(true, "history table; unless set, flyway_schema_history", text("NAME", MigrationRunner::table)),
    TARGET(true, "how far: a version, latest, current or next", text("VERSION", MigrationRunner::target)),
    CHERRY_PICK(true, "only these versions or descriptions, in this order", list("WHICH", MigrationRunner::cherryPick)),
    OUT_OF_ORDER(true, "apply versions below the newest applied one", yesOrNo(MigrationRunner::outOfOrder)),
    GROUP(true, "all that is pending in one transaction, where DDL can be", yesOrNo(MigrationRunner::group)),
    MIXED(true, "scripts may mix what can and cannot be in a transaction", yesOrNo(MigrationRunner::mixed)),
    SKIP_EXECUTING_MIGRATIONS(
            true, "record what is pending without running it", yesOrNo(MigrationRunner::skipExecutingMigrations)),
    VALIDATE_ON_MIGRATE(true, "validate before; unless set, true", yesOrNo(MigrationRunner::validateOnMigrate)),
    IGNORE_MIGRATION_PATTERNS(
            true,
            "what validation does not look at; unless set, *:future",
            list("PATTERN", MigrationRunner::ignoreMigrationPatterns)),
    BASELINE_ON_MIGRATE(
            true, "take objects without a history for the baseline", yesOrNo(MigrationRunner::baselineOnMigrate)),
    BASELINE_VERSION(true, "version of a baseline; unless set, 1", text("VERSION", MigrationRunner::baselineVersion)),
    BASELINE_DESCRIPTION(true, "description of a baseline", text("TEXT", MigrationRunner::baselineDescription)),
    INSTALLED_BY(true, "who applies; unless set, the database's user", text("NAME", MigrationRunner::installedBy)),
    PLACEHOLDER_REPLACEMENT(
            true, "replace placeholders; unless set, true", yesOrNo(MigrationRunner::placeholderReplacement)),
    PLACEHOLDER_PREFIX(true, "begins a placeholder; unless set, $${", text("TEXT", MigrationRunner::placeholderPrefix)),
    PLACEHOLDER_SUFFIX(true, "ends a placeholder; unless set, }", text("TEXT", MigrationRunner::placeholderSuffix)),
    ENCODING(
            true,
            "of the scripts; unless set, UTF-8",
            text("NAME", (runner, name) -> runner.encoding(Charset.forName(name)))),
    SQL_MIGRATION_PREFIX(
            true, "begins versioned scripts; unless set, V", text("TEXT", MigrationRunner::sqlMigrationPrefix)),
    REPEATABLE_SQL_MIGRATION_PREFIX(
            true,
            "begins repeatable scripts; unless set, R",
            text("TEXT", MigrationRunner::repeatableSqlMigrationPrefix)),
    BASELINE_MIGRATION_PREFIX(
            true, "begins baseline scripts; unless set, B", text("TEXT", MigrationRunner::baselineMigrationPrefix)),
    SQL_MIGRATION_SEPARATOR(
            true,
            "parts version and description; unless set, __",
            text("TEXT", MigrationRunner::sqlMigrationSeparator)),
    SQL_MIGRATION_SUFFIXES(true, "end scripts; unless set, .sql", list("TEXT", MigrationRunner::sqlMigrationSuffixes)),
    VALIDATE_MIGRATION_NAMING(
            true, "a .sql file that is no migration is an error", yesOrNo(MigrationRunner::validateMigrationNaming)),
    CLEAN_DISABLED(true, "refuse clean; unless set, true", yesOrNo(MigrationRunner::cleanDisabled)),
    LOCK(
            false,
            "how long the lock lasts: session, or transaction for proxies that share sessions",
            scope(MigrationRunner::lock)),
    LOCK_TIMEOUT(
            false,
            "wait so long while somebody else migrates; unless set, 5m; 0 is for ever",
            time(MigrationRunner::lockTimeout)),
    WAIT(false, "wait so long for a database that is coming up: 60s, 2m", time(MigrationRunner::connectTimeout));

    /** What all environment variables begin with. */
    static final String VARIABLE = "R2DBC_ENGINE_";

    /** What all of Flyway's keys begin with. */
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

    /** A secret has none: others would see it in the list of processes. */
    List<String> flags() {
        return this == PASSWORD
                ? List.of()
                : List.of("--" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    List<String> variables() {
        return List.of(VARIABLE + name());
    }

    List<String> keys() {
        return flyway ? List.of(key(), FLYWAY + key()) : List.of(key());
    }

    /** What the runner calls it. */
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
