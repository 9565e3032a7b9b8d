package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class H2MigrationRunnerIT extends MigrationRunnerContract {
    H2MigrationRunnerIT() {
        super(Server.H2);
    }

    @Override
    String slow() {
        return "create alias if not exists rest for 'java.lang.Thread.sleep(long)';\ncall rest(2000)";
    }

    @Override
    String runningSlowly() {
        return "select count(*) from information_schema.sessions where executing_statement like 'call rest%'";
    }

    @Override
    String describeTable() {
        return """
                select column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length, 0) || ' '
                  || is_nullable || ' ' || coalesce(column_default, '') from information_schema.columns
                  where table_name = 'flyway_schema_history'
                union all select index_name || index_type_name || is_generated from information_schema.indexes
                  where table_name = 'flyway_schema_history'
                union all select "installed_rank" || coalesce("version", '') || "description" || "type" || "script"
                  || coalesce("checksum", 0) || "installed_by" || "success" from "flyway_schema_history" order by 1""";
    }
}
