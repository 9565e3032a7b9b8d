package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.MigrationType;

/** The kind of a migration, by the prefix of its name. */
public enum MigrationKind {
    VERSIONED("V", "SQL", "JDBC"),
    REPEATABLE("R", "SQL", "JDBC"),
    BASELINE("B", "SQL_BASELINE", "JDBC_BASELINE"),
    UNDO("U", "UNDO_SQL", "UNDO_JDBC");

    final String prefix;
    private final String script;
    private final String code;

    MigrationKind(String prefix, String script, String code) {
        this.prefix = prefix;
        this.script = script;
        this.code = code;
    }

    public MigrationType scriptType() {
        return MigrationType.of(script);
    }

    MigrationType codeType() {
        return MigrationType.of(code);
    }
}
