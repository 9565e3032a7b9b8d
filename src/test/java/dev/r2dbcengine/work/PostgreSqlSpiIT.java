package dev.r2dbcengine.work;

class PostgreSqlSpiIT extends SpiContract {
    PostgreSqlSpiIT() {
        super(TestedDriver.POSTGRESQL);
    }
}
