package dev.r2dbcengine;

import dev.r2dbcengine.testing.Server;

class H2EngineIT extends EngineContract {
    H2EngineIT() {
        super(Server.H2);
    }
}
