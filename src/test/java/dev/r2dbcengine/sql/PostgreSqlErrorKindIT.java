package dev.r2dbcengine.sql;

class PostgreSqlErrorKindIT extends ErrorKindContract {
    PostgreSqlErrorKindIT() {
        super(new PostgreSqlSql());
    }
}
