package dev.r2dbcengine.sql;

class PostgreSqlHostileValuesIT extends HostileValuesContract {
    PostgreSqlHostileValuesIT() {
        super(new PostgreSqlSql());
    }
}
