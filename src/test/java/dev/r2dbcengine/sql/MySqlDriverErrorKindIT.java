package dev.r2dbcengine.sql;

/** MariaDB through the driver for MySQL. */
class MySqlDriverErrorKindIT extends ErrorKindContract {
    MySqlDriverErrorKindIT() {
        super(new MariaDbSql("mysql"));
    }
}
