package dev.r2dbcengine.migrate;

import java.util.Locale;

/**
 * When a {@link MigrationCallback} or a callback script runs: Flyway's events, by Flyway's names. Flyway's {@code beforeConnect},
 * {@code beforeInfo}, {@code afterInfo}, {@code afterInfoError}, {@code afterReportGenerated} and those that end in {@code
 * OperationFinish} are not among them: a file with such a name is reported as a warning.
 */
public enum CallbackEvent {
    /**
     * The connection of a run is open, before anything else runs on it, outside of the lock, and in the schema
     * of the connection. The session stays as these
     * callbacks leave it: {@code set role} holds for all that follows. {@code info} and a plan read over the pool, where
     * {@code EngineSettings.onConnect} prepares a session. With {@link LockScope#TRANSACTION} no session belongs to the run:
     * there it runs at the beginning of each transaction, and not for {@code clean}.
     */
    AFTER_CONNECT,
    /** Before missing schemas are created, although none may be missing; not if {@code createSchemas} is false. */
    CREATE_SCHEMA,
    /** After {@link #CREATE_SCHEMA}, and at the same time. */
    BEFORE_CREATE_SCHEMA,
    /** Before {@code migrate}, once it has validated, and begun a history over objects that were there. */
    BEFORE_MIGRATE,
    /** Before each migration, in its transaction if it has one. */
    BEFORE_EACH_MIGRATE,
    /** Before each statement of a script, in its transaction if it has one, and in the session as the script has left it. */
    BEFORE_EACH_MIGRATE_STATEMENT,
    /** After each statement of a script, in its transaction if it has one, and in the session as the script has left it. */
    AFTER_EACH_MIGRATE_STATEMENT,
    /** A statement of a script has failed: before {@link #AFTER_EACH_MIGRATE_ERROR}, and as that. */
    AFTER_EACH_MIGRATE_STATEMENT_ERROR,
    /** After each migration, in its transaction if it has one. */
    AFTER_EACH_MIGRATE,
    /** A migration has failed, once it is rolled back as far as it can be: in a transaction of its own. */
    AFTER_EACH_MIGRATE_ERROR,
    /** All of {@code migrate} has succeeded, whether anything was applied or not. */
    AFTER_MIGRATE,
    /** {@code migrate} has succeeded and applied something; before {@link #AFTER_MIGRATE}. */
    AFTER_MIGRATE_APPLIED,
    /** {@code migrate} has failed. */
    AFTER_MIGRATE_ERROR,
    /** Before the first repeatable migration that is applied. */
    BEFORE_REPEATABLES,
    /** All versioned migrations are applied, be it none. */
    AFTER_VERSIONED,
    /** Before {@code validate}, and the validation of {@code migrate}. */
    BEFORE_VALIDATE,
    /** After a validation that has found nothing wrong. */
    AFTER_VALIDATE,
    /** A validation that has found something wrong. */
    AFTER_VALIDATE_ERROR,
    /** Before {@code clean}. */
    BEFORE_CLEAN,
    /** After {@code clean}. */
    AFTER_CLEAN,
    /** {@code clean} has failed. */
    AFTER_CLEAN_ERROR,
    /** Before {@code baseline}; and in {@code migrate}, when {@code baselineOnMigrate} has begun the history with one. */
    BEFORE_BASELINE,
    /** After a baseline, be it that the history had it. */
    AFTER_BASELINE,
    /** A baseline was refused, or has failed. */
    AFTER_BASELINE_ERROR,
    /** Before {@code repair}. */
    BEFORE_REPAIR,
    /** After {@code repair}. */
    AFTER_REPAIR,
    /** {@code repair} has failed. */
    AFTER_REPAIR_ERROR,
    /** Before {@code undo}. */
    BEFORE_UNDO,
    /** Before the undo of each version, in its transaction if it has one. */
    BEFORE_EACH_UNDO,
    /** Before each statement of an undo script, in its transaction if it has one. */
    BEFORE_EACH_UNDO_STATEMENT,
    /** After each statement of an undo script, in its transaction if it has one. */
    AFTER_EACH_UNDO_STATEMENT,
    /** A statement of an undo script has failed: before {@link #AFTER_EACH_UNDO_ERROR}, and as that. */
    AFTER_EACH_UNDO_STATEMENT_ERROR,
    /** After the undo of each version, in its transaction if it has one. */
    AFTER_EACH_UNDO,
    /** The undo of a version has failed, once it is rolled back as far as it can be: in a transaction of its own. */
    AFTER_EACH_UNDO_ERROR,
    /** After {@code undo}. */
    AFTER_UNDO,
    /** {@code undo} has failed. */
    AFTER_UNDO_ERROR;

    /** {@return how its scripts are named: {@code BEFORE_EACH_MIGRATE} is {@code beforeEachMigrate}} */
    public String id() {
        StringBuilder id = new StringBuilder();
        for (String word : name().split("_", -1)) {
            String lower = word.toLowerCase(Locale.ROOT);
            id.append(id.isEmpty() ? lower : word.charAt(0) + lower.substring(1));
        }
        return id.toString();
    }
}
