package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

/** MariaDB and MySQL. */
abstract class MySqlFamilyMigrationRunnerContract extends MigrationRunnerContract {
    MySqlFamilyMigrationRunnerContract(Server server) {
        super(server);
    }

    @Override
    String describeTable() {
        return """
                select concat_ws(' ', column_name, column_type, is_nullable, column_default, column_key)
                  from information_schema.columns where table_schema = database() and table_name = 'flyway_schema_history'
                union all select concat_ws(' ', index_name, column_name, non_unique) from information_schema.statistics
                  where table_schema = database() and table_name = 'flyway_schema_history'
                union all select concat_ws(' ', installed_rank, version, description, type, script, checksum, installed_by,
                  success) from flyway_schema_history order by 1""";
    }

    @Override
    String raisedError() {
        return "signal sqlstate 'U0001' set message_text = 'on purpose'";
    }
}
