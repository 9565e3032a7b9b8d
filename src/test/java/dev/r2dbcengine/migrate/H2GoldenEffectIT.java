package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class H2GoldenEffectIT extends GoldenEffectContract {
    H2GoldenEffectIT() {
        super(Server.H2);
    }
}
