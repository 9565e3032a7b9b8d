package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class MariaDbGoldenEffectIT extends GoldenEffectContract {
    MariaDbGoldenEffectIT() {
        super(Server.MARIADB);
    }
}
