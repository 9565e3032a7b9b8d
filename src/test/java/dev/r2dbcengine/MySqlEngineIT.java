package dev.r2dbcengine;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlEngineIT extends ServerEngineContract {
    MySqlEngineIT() {
        super(Server.MYSQL);
    }
}
