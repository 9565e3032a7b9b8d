package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2RetriedUnitsIT extends RetriedUnitsContract {
    H2RetriedUnitsIT() {
        super(Server.H2);
    }
}
