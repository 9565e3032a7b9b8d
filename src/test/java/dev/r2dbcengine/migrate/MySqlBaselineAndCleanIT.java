package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlBaselineAndCleanIT extends MySqlFamilyBaselineAndCleanContract {
    MySqlBaselineAndCleanIT() {
        super(Server.MYSQL, "");
    }
}
