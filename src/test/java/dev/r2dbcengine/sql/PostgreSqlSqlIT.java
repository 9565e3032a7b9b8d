package dev.r2dbcengine.sql;

class PostgreSqlSqlIT extends SqlContract {
    PostgreSqlSqlIT() {
        super(new PostgreSqlSql());
    }
}
