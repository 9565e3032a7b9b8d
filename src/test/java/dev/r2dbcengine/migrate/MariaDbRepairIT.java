package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class MariaDbRepairIT extends RepairContract {
    MariaDbRepairIT() {
        super(Server.MARIADB);
    }
}
