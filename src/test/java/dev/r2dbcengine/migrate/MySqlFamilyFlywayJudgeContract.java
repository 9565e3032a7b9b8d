package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** MariaDB and MySQL. */
abstract class MySqlFamilyFlywayJudgeContract extends FlywayJudgeContract {
    /** The views that are compared, and their schema columns. */
    private static final Map<String, String> VIEWS = Map.ofEntries(
            Map.entry("tables", "table_schema"),
            Map.entry("columns", "table_schema"),
            Map.entry("table_constraints", "table_schema"),
            Map.entry("key_column_usage", "table_schema"),
            Map.entry("check_constraints", "constraint_schema"),
            Map.entry("referential_constraints", "constraint_schema"),
            Map.entry("statistics", "table_schema"),
            Map.entry("partitions", "table_schema"),
            Map.entry("views", "table_schema"),
            Map.entry("routines", "routine_schema"),
            Map.entry("parameters", "specific_schema"),
            Map.entry("triggers", "trigger_schema"),
            Map.entry("events", "event_schema"));

    MySqlFamilyFlywayJudgeContract(Server server) {
        super(server);
    }

    @Override
    Map<String, String> queries() {
        Map<String, String> queries = new TreeMap<>();
        VIEWS.forEach((view, schema) ->
                queries.put(view, "select * from information_schema." + view + " where " + schema + " = database()"));
        queries.put(
                DatabasePicture.TABLES,
                "select table_schema, table_name from information_schema.tables where table_schema = database()"
                        + " and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')");
        return queries;
    }

    /** Times, and what the engine counts or guesses. */
    @Override
    Set<String> untold() {
        return Set.of(
                "create_time",
                "update_time",
                "check_time",
                "created",
                "last_altered",
                "cardinality",
                "table_rows",
                "avg_row_length",
                "data_length",
                "index_length",
                "data_free",
                "installed_on",
                "execution_time");
    }
}
