package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class H2RepairIT extends RepairContract {
    H2RepairIT() {
        super(Server.H2);
    }
}
