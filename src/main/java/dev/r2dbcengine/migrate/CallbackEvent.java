package dev.r2dbcengine.migrate;

import java.util.Locale;

/** When a callback script runs. Its file name begins with the event's. */
enum CallbackEvent {
    BEFORE_MIGRATE,
    BEFORE_EACH_MIGRATE,
    AFTER_EACH_MIGRATE,
    AFTER_EACH_MIGRATE_ERROR,
    AFTER_MIGRATE,
    AFTER_MIGRATE_APPLIED,
    AFTER_MIGRATE_ERROR,
    BEFORE_REPEATABLES,
    AFTER_VERSIONED,
    BEFORE_VALIDATE,
    AFTER_VALIDATE,
    AFTER_VALIDATE_ERROR,
    BEFORE_CLEAN,
    AFTER_CLEAN,
    AFTER_CLEAN_ERROR,
    BEFORE_BASELINE,
    AFTER_BASELINE,
    AFTER_BASELINE_ERROR,
    BEFORE_REPAIR,
    AFTER_REPAIR,
    AFTER_REPAIR_ERROR,
    BEFORE_UNDO,
    BEFORE_EACH_UNDO,
    AFTER_EACH_UNDO,
    AFTER_EACH_UNDO_ERROR,
    AFTER_UNDO,
    AFTER_UNDO_ERROR;

    /** {@code BEFORE_EACH_MIGRATE} is {@code beforeEachMigrate}. */
    String id() {
        StringBuilder id = new StringBuilder();
        for (String word : name().split("_", -1)) {
            String lower = word.toLowerCase(Locale.ROOT);
            id.append(id.isEmpty() ? lower : word.charAt(0) + lower.substring(1));
        }
        return id.toString();
    }
}
