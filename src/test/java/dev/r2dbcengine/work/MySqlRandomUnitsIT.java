package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlRandomUnitsIT extends DatabaseRandomUnitsContract {
    MySqlRandomUnitsIT() {
        super(Server.MYSQL);
    }
}
