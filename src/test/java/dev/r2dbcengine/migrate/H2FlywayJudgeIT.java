package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

class H2FlywayJudgeIT extends FlywayJudgeContract {
    private static final String SYSTEM = "INFORMATION_SCHEMA";

    /** The views that are compared, and their schema columns. */
    private static final Map<String, String> VIEWS = Map.ofEntries(
            Map.entry("tables", "table_schema"),
            Map.entry("columns", "table_schema"),
            Map.entry("table_constraints", "constraint_schema"),
            Map.entry("key_column_usage", "constraint_schema"),
            Map.entry("check_constraints", "constraint_schema"),
            Map.entry("referential_constraints", "constraint_schema"),
            Map.entry("views", "table_schema"),
            Map.entry("routines", "routine_schema"),
            Map.entry("parameters", "specific_schema"),
            Map.entry("triggers", "trigger_schema"),
            Map.entry("sequences", "sequence_schema"),
            Map.entry("domains", "domain_schema"),
            Map.entry("indexes", "table_schema"),
            Map.entry("index_columns", "table_schema"),
            Map.entry("synonyms", "synonym_schema"),
            Map.entry("constants", "constant_schema"),
            Map.entry("enum_values", "object_schema"));

    H2FlywayJudgeIT() {
        super(Server.H2);
    }

    @Override
    Map<String, String> queries() {
        Map<String, String> queries = new TreeMap<>();
        VIEWS.forEach((view, schema) -> queries.put(
                view, "select * from information_schema." + view + " where " + schema + " <> '" + SYSTEM + "'"));
        queries.put(
                DatabasePicture.TABLES,
                "select table_schema, table_name from information_schema.tables where table_type = 'BASE TABLE'"
                        + " and table_schema <> '" + SYSTEM + "'");
        return queries;
    }

    @Override
    Set<String> untold() {
        return Set.of("last_modification", "row_count_estimate", "installed_on", "execution_time");
    }

    @Override
    String named(String line) {
        return line.replaceAll("SYSTEM_SEQUENCE_[0-9A-F_]+", "SYSTEM_SEQUENCE");
    }
}
