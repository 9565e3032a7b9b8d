package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MariaDbCancelledUnitsIT extends CancelledUnitsContract {
    MariaDbCancelledUnitsIT() {
        super(Server.MARIADB);
    }
}
