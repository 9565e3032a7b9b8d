package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;

@OnMySql
class MySqlSpiIT extends SpiContract {
    MySqlSpiIT() {
        super(TestedDriver.MYSQL);
    }
}
