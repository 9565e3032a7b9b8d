package dev.r2dbcengine.migrate;

/** What the prefix of a name says. */
enum MigrationKind {
    VERSIONED("V", MigrationType.SQL, MigrationType.JDBC),
    REPEATABLE("R", MigrationType.SQL, MigrationType.JDBC),
    BASELINE("B", MigrationType.SQL_BASELINE, MigrationType.JDBC_BASELINE),
    UNDO("U", MigrationType.UNDO_SQL, MigrationType.UNDO_JDBC);

    final String prefix;
    final MigrationType script;
    final MigrationType code;

    MigrationKind(String prefix, MigrationType script, MigrationType code) {
        this.prefix = prefix;
        this.script = script;
        this.code = code;
    }
}
