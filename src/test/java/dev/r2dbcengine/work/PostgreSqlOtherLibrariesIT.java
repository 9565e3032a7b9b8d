package dev.r2dbcengine.work;

class PostgreSqlOtherLibrariesIT extends OtherLibrariesContract {
    PostgreSqlOtherLibrariesIT() {
        super(TestedDriver.POSTGRESQL);
    }
}
