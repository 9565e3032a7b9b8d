package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlUnitOfWorkIT extends MySqlFamilyUnitOfWorkContract {
    MySqlUnitOfWorkIT() {
        super(Server.MYSQL);
    }

    /* The isolation level, the read-only mode and the autocommit mode are those of later transactions; the library enforces
    the timeout itself. */
    @Override
    String specialSettings() {
        return "REPEATABLE-READ 0 3 0 1";
    }
}
