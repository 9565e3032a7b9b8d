package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2CancelledUnitsIT extends CancelledUnitsContract {
    H2CancelledUnitsIT() {
        super(Server.H2);
    }

    @Override
    String openTransactions() {
        return "select count(*) from information_schema.sessions where contains_uncommitted";
    }
}
