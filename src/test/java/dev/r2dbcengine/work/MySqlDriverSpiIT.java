package dev.r2dbcengine.work;

/** MariaDB through the driver for MySQL. */
class MySqlDriverSpiIT extends SpiContract {
    MySqlDriverSpiIT() {
        super(TestedDriver.MYSQL_DRIVER);
    }
}
