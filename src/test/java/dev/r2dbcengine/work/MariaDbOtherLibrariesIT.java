package dev.r2dbcengine.work;

class MariaDbOtherLibrariesIT extends OtherLibrariesContract {
    MariaDbOtherLibrariesIT() {
        super(TestedDriver.MARIADB);
    }
}
