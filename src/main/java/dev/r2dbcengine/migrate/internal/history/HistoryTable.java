package dev.r2dbcengine.migrate.internal.history;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.MigrationSql;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A history table and its statements.
 *
 * @param dialect the dialect of its database
 * @param schema its schema; null for the current one, whose name is not known yet
 * @param name its name
 */
public record HistoryTable(Dialect dialect, @Nullable String schema, String name) {

    private static final String[] WRITTEN = {
        "installed_rank",
        "version",
        "description",
        "type",
        "script",
        "checksum",
        "installed_by",
        "execution_time",
        "success"
    };

    public String text(MigrationSql which) {
        String table = qualified();
        return dialect.migrations(which)
                .replace("{hash}", Integer.toString(table.hashCode()))
                .replace("{table}", table)
                .replace("{name}", name.replace("\"", "\"\"").replace("`", "``"))
                .replace("{schema}", schema == null ? "" : dialect.quote(schema));
    }

    public String schemaText(MigrationSql which, String other) {
        return new HistoryTable(dialect, other, name).text(which);
    }

    public String qualified() {
        String table = dialect.quote(name);
        return schema == null ? table : dialect.quote(schema) + "." + table;
    }

    /** Returns the query for the session state and the rows. */
    public String selectAll() {
        return "select s.*, h.*, " + text(MigrationSql.HOME) + " as engine_home from (" + text(MigrationSql.SESSION)
                + ") s left join " + qualified() + " h on 1 = 1";
    }

    /** @param condition on which the row is inserted; empty for none */
    String insert(String condition) {
        String values = Arrays.stream(WRITTEN).map(column -> ":" + column).collect(Collectors.joining(", "));
        return "insert into " + qualified() + " ("
                + Arrays.stream(WRITTEN).map(dialect::quote).collect(Collectors.joining(", "))
                + (condition.isEmpty()
                        ? ") values (" + values + ")"
                        : ") select " + values + " from (select 1) one where " + condition);
    }

    String mark(String condition) {
        return "update " + qualified() + " set " + set("success") + ", " + set("execution_time") + whereRank()
                + and(condition);
    }

    String align() {
        return "update " + qualified() + " set " + set("description") + ", " + set("type") + ", " + set("checksum")
                + whereRank();
    }

    String delete(String condition) {
        return "delete from " + qualified() + whereRank() + and(condition);
    }

    private static String and(String condition) {
        return condition.isEmpty() ? "" : " and " + condition;
    }

    private String set(String column) {
        return dialect.quote(column) + " = :" + column;
    }

    private String whereRank() {
        return " where " + set("installed_rank");
    }

    public String knownSchema() {
        return Objects.requireNonNull(schema);
    }
}
