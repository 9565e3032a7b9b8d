package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

class PostgreSqlFlywayJudgeIT extends FlywayJudgeContract {
    private static final String OURS = " not in ('pg_catalog', 'information_schema', 'pg_toast')";

    /** The views that are compared, and their schema columns. */
    private static final Map<String, String> VIEWS = Map.ofEntries(
            Map.entry("information_schema.tables", "table_schema"),
            Map.entry("information_schema.columns", "table_schema"),
            Map.entry("information_schema.table_constraints", "constraint_schema"),
            Map.entry("information_schema.key_column_usage", "constraint_schema"),
            Map.entry("information_schema.constraint_column_usage", "constraint_schema"),
            Map.entry("information_schema.check_constraints", "constraint_schema"),
            Map.entry("information_schema.referential_constraints", "constraint_schema"),
            Map.entry("information_schema.views", "table_schema"),
            Map.entry("information_schema.routines", "routine_schema"),
            Map.entry("information_schema.parameters", "specific_schema"),
            Map.entry("information_schema.triggers", "trigger_schema"),
            Map.entry("information_schema.sequences", "sequence_schema"),
            Map.entry("information_schema.domains", "domain_schema"),
            Map.entry("information_schema.attributes", "udt_schema"),
            Map.entry("pg_indexes", "schemaname"),
            Map.entry("pg_matviews", "schemaname"),
            Map.entry("pg_rules", "schemaname"),
            Map.entry("pg_policies", "schemaname"));

    PostgreSqlFlywayJudgeIT() {
        super(Server.POSTGRESQL);
    }

    @Override
    Map<String, String> queries() {
        Map<String, String> queries = new TreeMap<>();
        VIEWS.forEach((view, schema) -> queries.put(view, "select * from " + view + " where " + schema + OURS));
        queries.put("comments", "select description from pg_description where objoid >= 16384");
        queries.put("enums", "select enumlabel, enumsortorder from pg_enum");
        queries.put("operators", "select oprname from pg_operator where oid >= 16384");
        queries.put("partitions", "select relname, pg_get_expr(relpartbound, oid) from pg_class where relispartition");
        queries.put(DatabasePicture.TABLES, "select schemaname, tablename from pg_tables where schemaname" + OURS);
        return queries;
    }

    @Override
    Set<String> untold() {
        return Set.of("specific_name", "installed_on", "execution_time");
    }

    @Override
    String named(String line) {
        return line.replaceAll("\\d+_\\d+_(\\d+)_not_null", "$1_not_null");
    }
}
