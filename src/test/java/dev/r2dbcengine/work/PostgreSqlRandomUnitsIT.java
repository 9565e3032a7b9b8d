package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class PostgreSqlRandomUnitsIT extends DatabaseRandomUnitsContract {
    PostgreSqlRandomUnitsIT() {
        super(Server.POSTGRESQL);
    }
}
