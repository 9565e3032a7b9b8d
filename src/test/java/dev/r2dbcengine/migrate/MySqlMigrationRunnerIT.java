package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlMigrationRunnerIT extends MySqlFamilyMigrationRunnerContract {
    MySqlMigrationRunnerIT() {
        super(Server.MYSQL);
    }
}
