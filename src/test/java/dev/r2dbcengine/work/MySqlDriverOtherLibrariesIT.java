package dev.r2dbcengine.work;

/** MariaDB through the driver for MySQL. */
class MySqlDriverOtherLibrariesIT extends OtherLibrariesContract {
    MySqlDriverOtherLibrariesIT() {
        super(TestedDriver.MYSQL_DRIVER);
    }
}
