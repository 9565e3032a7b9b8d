package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.CallbackEvent;

/** An operation with callbacks before and after it. The names of its events contain its name. */
public enum CallbackPhase {
    MIGRATE,
    EACH_MIGRATE,
    EACH_MIGRATE_STATEMENT,
    VALIDATE,
    CLEAN,
    BASELINE,
    REPAIR,
    UNDO,
    EACH_UNDO,
    EACH_UNDO_STATEMENT;

    /** Returns the phase of the single statements. */
    CallbackPhase ofStatements() {
        return valueOf(name() + "_STATEMENT");
    }

    public CallbackEvent before() {
        return CallbackEvent.valueOf("BEFORE_" + name());
    }

    public CallbackEvent after() {
        return CallbackEvent.valueOf("AFTER_" + name());
    }

    public CallbackEvent error() {
        return CallbackEvent.valueOf("AFTER_" + name() + "_ERROR");
    }
}
