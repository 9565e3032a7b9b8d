package dev.r2dbcengine.migrate;

import java.util.Locale;

/**
 * When a {@link MigrationCallback} or a callback script runs: Flyway's events, by Flyway's names. Not among them are those of
 * {@code info}, of connections, of the creation of schemas, and of single statements, for which there is {@link
 * MigrationListener}.
 */
public enum CallbackEvent {
    /** Before {@code migrate}, once it has validated, and begun a history over objects that were there. */
    BEFORE_MIGRATE,
    /** Before each migration, in its transaction if it has one. */
    BEFORE_EACH_MIGRATE,
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
