package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2RandomUnitsIT extends DatabaseRandomUnitsContract {
    H2RandomUnitsIT() {
        super(Server.H2);
    }
}
