package dev.r2dbcengine.migrate;

import java.util.Locale;
import java.util.Map;

/**
 * The type of a row of the history table, by Flyway's names. Unknown names are kept, so that the history of another
 * tool or of a later version can be read.
 *
 * @param name the value of the column, in upper case
 */
public record MigrationType(String name) {

    /** A row that lists the created schemas. */
    public static final MigrationType SCHEMA = new MigrationType("SCHEMA");
    /** The version of the database before its history started. */
    public static final MigrationType BASELINE = new MigrationType("BASELINE");
    /** Marks an earlier row as deleted: its migration was removed from the files. */
    public static final MigrationType DELETE = new MigrationType("DELETE");
    /** A SQL script. */
    public static final MigrationType SQL = new MigrationType("SQL");
    /** Code, by Flyway's name. */
    public static final MigrationType JDBC = new MigrationType("JDBC");
    /** A shell script, which only Flyway runs. */
    public static final MigrationType SCRIPT = new MigrationType("SCRIPT");
    /** Another kind of migration that only Flyway runs. */
    public static final MigrationType CUSTOM = new MigrationType("CUSTOM");
    /**
     * A SQL script that undid a version. Read, but never written: the free edition of Flyway rejects a history that
     * contains it.
     */
    public static final MigrationType UNDO_SQL = new MigrationType("UNDO_SQL");
    /** Code that undid a version. Read, but never written. */
    public static final MigrationType UNDO_JDBC = new MigrationType("UNDO_JDBC");
    /** A SQL script that replaces all versions up to its own. */
    public static final MigrationType SQL_BASELINE = new MigrationType("SQL_BASELINE");
    /** Code that replaces all versions up to its own. */
    public static final MigrationType JDBC_BASELINE = new MigrationType("JDBC_BASELINE");

    private static final Map<String, MigrationType> FORMER_NAMES =
            Map.of("SPRING_JDBC", JDBC, "SQL_STATE_SCRIPT", SQL_BASELINE, "JDBC_STATE_SCRIPT", JDBC_BASELINE);

    /**
     * Returns the type of a name.
     *
     * @param name the name in the history table; names of earlier versions of Flyway are translated
     * @return the type
     */
    public static MigrationType of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return FORMER_NAMES.getOrDefault(upper, new MigrationType(upper));
    }

    /** {@return whether the row is not about a file} */
    public boolean synthetic() {
        return equals(SCHEMA) || equals(BASELINE) || equals(DELETE);
    }

    /** {@return whether it replaces all versions up to its own} */
    public boolean baseline() {
        return equals(BASELINE) || name.endsWith("_BASELINE");
    }

    /** {@return whether it undoes a version} */
    public boolean undo() {
        return name.startsWith("UNDO_");
    }

    @Override
    public String toString() {
        return name;
    }
}
