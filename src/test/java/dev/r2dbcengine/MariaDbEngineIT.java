package dev.r2dbcengine;

import dev.r2dbcengine.testing.Server;

class MariaDbEngineIT extends ServerEngineContract {
    MariaDbEngineIT() {
        super(Server.MARIADB);
    }
}
