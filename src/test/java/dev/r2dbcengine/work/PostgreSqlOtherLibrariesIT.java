package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class PostgreSqlOtherLibrariesIT extends OtherLibrariesContract {
    PostgreSqlOtherLibrariesIT() {
        super(Server.POSTGRESQL);
    }
}
