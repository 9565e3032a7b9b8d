package dev.r2dbcengine.migrate;

import java.util.Locale;
import java.util.Map;

/**
 * The type of a row of the history table, by Flyway's names. Names that are not known here are kept as they are, so that
 * a history of another tool, or of a later version, can be read.
 *
 * @param name what the column holds, in upper case
 */
public record MigrationType(String name) {

    /** The schemas were created. */
    public static final MigrationType SCHEMA = new MigrationType("SCHEMA");
    /** The database had this version before its history began. */
    public static final MigrationType BASELINE = new MigrationType("BASELINE");
    /** An earlier row stands no more: its migration was removed from the files. */
    public static final MigrationType DELETE = new MigrationType("DELETE");
    /** A SQL script. */
    public static final MigrationType SQL = new MigrationType("SQL");
    /** Code; the name is Flyway's. */
    public static final MigrationType JDBC = new MigrationType("JDBC");
    /** A script of the operating system; read only. */
    public static final MigrationType SCRIPT = new MigrationType("SCRIPT");
    /** Something else that Flyway ran; read only. */
    public static final MigrationType CUSTOM = new MigrationType("CUSTOM");
    /** A SQL script that undid a version; read only, for free Flyway reads no history that holds it. */
    public static final MigrationType UNDO_SQL = new MigrationType("UNDO_SQL");
    /** Code that undoes a version; never in a history that this library wrote. */
    public static final MigrationType UNDO_JDBC = new MigrationType("UNDO_JDBC");
    /** A SQL script that stands for all versions up to its own. */
    public static final MigrationType SQL_BASELINE = new MigrationType("SQL_BASELINE");
    /** Code that stands for all versions up to its own. */
    public static final MigrationType JDBC_BASELINE = new MigrationType("JDBC_BASELINE");

    private static final Map<String, MigrationType> FORMER_NAMES =
            Map.of("SPRING_JDBC", JDBC, "SQL_STATE_SCRIPT", SQL_BASELINE, "JDBC_STATE_SCRIPT", JDBC_BASELINE);

    /**
     * Reads the column.
     *
     * @param name as it stands in the history table; the names of earlier versions of Flyway are translated
     * @return the type
     */
    public static MigrationType of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return FORMER_NAMES.getOrDefault(upper, new MigrationType(upper));
    }

    /** {@return whether there is no file behind it: the row itself says something} */
    public boolean synthetic() {
        return equals(SCHEMA) || equals(BASELINE) || equals(DELETE);
    }

    /** {@return whether it stands for all versions up to its own} */
    public boolean baseline() {
        return equals(BASELINE) || name.endsWith("_BASELINE");
    }

    /** {@return whether it takes a version back} */
    public boolean undo() {
        return name.startsWith("UNDO_");
    }

    @Override
    public String toString() {
        return name;
    }
}
