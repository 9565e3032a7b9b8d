package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;
import io.r2dbc.spi.IsolationLevel;

class MariaDbRetriedUnitsIT extends ServerRetriedUnitsContract {
    MariaDbRetriedUnitsIT() {
        super(Server.MARIADB);
    }

    /* On MariaDB, SERIALIZABLE locks the rows that it reads; this is the server's snapshot isolation. */
    @Override
    UnitOfWork isolatedUnit() {
        return engine.unitOfWork()
                .isolation(IsolationLevel.REPEATABLE_READ)
                .onBegin(work -> work.sql("set innodb_snapshot_isolation = on").update());
    }
}
