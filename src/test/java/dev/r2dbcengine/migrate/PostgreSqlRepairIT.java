package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class PostgreSqlRepairIT extends RepairContract {
    PostgreSqlRepairIT() {
        super(Server.POSTGRESQL);
    }
}
