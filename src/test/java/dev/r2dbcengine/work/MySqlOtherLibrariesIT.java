package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;

@OnMySql
class MySqlOtherLibrariesIT extends OtherLibrariesContract {
    MySqlOtherLibrariesIT() {
        super(TestedDriver.MYSQL);
    }
}
