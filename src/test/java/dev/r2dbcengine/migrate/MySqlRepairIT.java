package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlRepairIT extends RepairContract {
    MySqlRepairIT() {
        super(Server.MYSQL);
    }
}
