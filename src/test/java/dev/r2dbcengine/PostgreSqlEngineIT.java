package dev.r2dbcengine;

import dev.r2dbcengine.testing.Server;

class PostgreSqlEngineIT extends ServerEngineContract {
    PostgreSqlEngineIT() {
        super(Server.POSTGRESQL);
    }
}
