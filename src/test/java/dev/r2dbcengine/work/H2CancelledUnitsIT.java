package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2CancelledUnitsIT extends CancelledUnitsContract {
    H2CancelledUnitsIT() {
        super(Server.H2);
    }
}
