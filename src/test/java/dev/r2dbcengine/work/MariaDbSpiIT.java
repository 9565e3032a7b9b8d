package dev.r2dbcengine.work;

class MariaDbSpiIT extends SpiContract {
    MariaDbSpiIT() {
        super(TestedDriver.MARIADB);
    }
}
