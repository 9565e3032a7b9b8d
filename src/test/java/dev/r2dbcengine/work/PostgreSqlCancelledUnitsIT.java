package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class PostgreSqlCancelledUnitsIT extends CancelledUnitsContract {
    PostgreSqlCancelledUnitsIT() {
        super(Server.POSTGRESQL);
    }
}
