package dev.r2dbcengine.sql;

class MariaDbSqlIT extends SqlContract {
    MariaDbSqlIT() {
        super(new MariaDbSql("mariadb"));
    }
}
