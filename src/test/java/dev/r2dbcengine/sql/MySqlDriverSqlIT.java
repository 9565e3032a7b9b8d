package dev.r2dbcengine.sql;

/** MariaDB through the driver for MySQL. */
class MySqlDriverSqlIT extends MariaDbSqlContract {
    MySqlDriverSqlIT() {
        super("mysql");
    }
}
