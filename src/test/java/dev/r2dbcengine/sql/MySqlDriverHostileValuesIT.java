package dev.r2dbcengine.sql;

class MySqlDriverHostileValuesIT extends HostileValuesContract {
    MySqlDriverHostileValuesIT() {
        super(new MariaDbSql("mysql"));
    }
}
