package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class PostgreSqlCancelledUnitsIT extends CancelledUnitsContract {
    PostgreSqlCancelledUnitsIT() {
        super(Server.POSTGRESQL);
    }

    @Override
    String openTransactions() {
        return "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
    }
}
