package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MariaDbCancelledUnitsIT extends CancelledUnitsContract {
    MariaDbCancelledUnitsIT() {
        super(Server.MARIADB);
    }

    @Override
    String openTransactions() {
        return "select count(*) from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id()";
    }
}
