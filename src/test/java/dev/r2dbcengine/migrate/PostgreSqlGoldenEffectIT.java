package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class PostgreSqlGoldenEffectIT extends GoldenEffectContract {
    PostgreSqlGoldenEffectIT() {
        super(Server.POSTGRESQL);
    }
}
