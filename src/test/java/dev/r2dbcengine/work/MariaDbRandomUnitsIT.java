package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MariaDbRandomUnitsIT extends DatabaseRandomUnitsContract {
    MariaDbRandomUnitsIT() {
        super(Server.MARIADB);
    }
}
