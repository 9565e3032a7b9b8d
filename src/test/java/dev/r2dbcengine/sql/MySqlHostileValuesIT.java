package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.OnMySql;

@OnMySql
class MySqlHostileValuesIT extends HostileValuesContract {
    MySqlHostileValuesIT() {
        super(new MySqlSql());
    }
}
