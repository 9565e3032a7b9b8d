package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;
import io.r2dbc.spi.IsolationLevel;

class MariaDbRetriedUnitsIT extends ServerRetriedUnitsContract {
    MariaDbRetriedUnitsIT() {
        super(Server.MARIADB);
    }

    /* Its SERIALIZABLE locks what it reads; this is its snapshot isolation. */
    @Override
    UnitOfWork meeting() {
        return engine.unitOfWork()
                .isolation(IsolationLevel.REPEATABLE_READ)
                .onBegin(work -> work.sql("set innodb_snapshot_isolation = on").update());
    }
}
