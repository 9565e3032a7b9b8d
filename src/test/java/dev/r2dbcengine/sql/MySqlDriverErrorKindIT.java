package dev.r2dbcengine.sql;

/** MariaDB through the driver for MySQL. */
class MySqlDriverErrorKindIT extends MariaDbErrorKindIT {

    @Override
    String driver() {
        return "mysql";
    }
}
