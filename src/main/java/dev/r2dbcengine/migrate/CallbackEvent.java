package dev.r2dbcengine.migrate;

import java.util.Locale;

/**
 * The event at which a {@link MigrationCallback} or a callback script runs, by Flyway's names. Flyway's {@code
 * beforeConnect}, {@code beforeInfo}, {@code afterInfo}, {@code afterInfoError}, {@code afterReportGenerated} and those
 * that end in {@code OperationFinish} are not supported: a file with such a name causes a warning.
 */
public enum CallbackEvent {
    /**
     * The connection of a run is open. Runs before anything else on it, outside the lock, and in the schema of the
     * connection. The session stays as these callbacks leave it: {@code set role}, for example, applies to the whole
     * run. {@code info} and a plan use the pool, whose sessions {@code EngineSettings.onConnect} prepares. With {@link
     * LockScope#TRANSACTION} the run has no session of its own: the event occurs at the beginning of each transaction,
     * and not for {@code clean}.
     */
    AFTER_CONNECT,
    /** Before missing schemas are created, even if none is missing; not if {@code createSchemas} is false. */
    CREATE_SCHEMA,
    /** After {@link #CREATE_SCHEMA}, and at the same time. */
    BEFORE_CREATE_SCHEMA,
    /** Before {@code migrate} applies migrations, after its validation and its baseline. */
    BEFORE_MIGRATE,
    /** Before each migration, in its transaction if it has one. */
    BEFORE_EACH_MIGRATE,
    /** Before each statement of a script, in its transaction, if any, and in its session. */
    BEFORE_EACH_MIGRATE_STATEMENT,
    /** After each statement of a script, in its transaction, if any, and in its session. */
    AFTER_EACH_MIGRATE_STATEMENT,
    /** A statement of a script has failed. Precedes {@link #AFTER_EACH_MIGRATE_ERROR} and runs in the same way. */
    AFTER_EACH_MIGRATE_STATEMENT_ERROR,
    /** After each migration, in its transaction if it has one. */
    AFTER_EACH_MIGRATE,
    /** A migration has failed. Runs after the rollback, in a transaction of its own. */
    AFTER_EACH_MIGRATE_ERROR,
    /** {@code migrate} has succeeded, even if nothing was applied. */
    AFTER_MIGRATE,
    /** {@code migrate} has succeeded and applied a migration. Precedes {@link #AFTER_MIGRATE}. */
    AFTER_MIGRATE_APPLIED,
    /** {@code migrate} has failed. */
    AFTER_MIGRATE_ERROR,
    /** Before the first repeatable migration that is applied. */
    BEFORE_REPEATABLES,
    /** All versioned migrations are applied, even if there were none. */
    AFTER_VERSIONED,
    /** Before {@code validate}, and the validation of {@code migrate}. */
    BEFORE_VALIDATE,
    /** After a validation without problems. */
    AFTER_VALIDATE,
    /** After a validation with problems. */
    AFTER_VALIDATE_ERROR,
    /** Before {@code clean}. */
    BEFORE_CLEAN,
    /** After {@code clean}. */
    AFTER_CLEAN,
    /** {@code clean} has failed. */
    AFTER_CLEAN_ERROR,
    /** Before {@code baseline}; in {@code migrate}, after {@code baselineOnMigrate} has started the history. */
    BEFORE_BASELINE,
    /** After a baseline, even if the history already contained it. */
    AFTER_BASELINE,
    /** A baseline was refused or has failed. */
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
    /** A statement of an undo script has failed. Precedes {@link #AFTER_EACH_UNDO_ERROR} and runs in the same way. */
    AFTER_EACH_UNDO_STATEMENT_ERROR,
    /** After the undo of each version, in its transaction if it has one. */
    AFTER_EACH_UNDO,
    /** The undo of a version has failed. Runs after the rollback, in a transaction of its own. */
    AFTER_EACH_UNDO_ERROR,
    /** After {@code undo}. */
    AFTER_UNDO,
    /** {@code undo} has failed. */
    AFTER_UNDO_ERROR;

    /** {@return the name of its scripts, such as {@code beforeEachMigrate} for {@code BEFORE_EACH_MIGRATE}} */
    public String id() {
        StringBuilder id = new StringBuilder();
        for (String word : name().split("_", -1)) {
            String lower = word.toLowerCase(Locale.ROOT);
            id.append(id.isEmpty() ? lower : word.charAt(0) + lower.substring(1));
        }
        return id.toString();
    }
}
