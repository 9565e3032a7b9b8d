package dev.r2dbcengine.sql;

class MariaDbSqlIT extends MariaDbSqlContract {
    MariaDbSqlIT() {
        super("mariadb");
    }
}
