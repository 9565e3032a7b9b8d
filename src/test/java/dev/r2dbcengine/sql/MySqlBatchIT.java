package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.OnMySql;

@OnMySql
class MySqlBatchIT extends BatchContract {
    MySqlBatchIT() {
        super(new MySqlSql());
    }
}
