package dev.r2dbcengine.sql;

class MariaDbErrorKindIT extends ErrorKindContract {
    MariaDbErrorKindIT() {
        super(new MariaDbSql("mariadb"));
    }
}
