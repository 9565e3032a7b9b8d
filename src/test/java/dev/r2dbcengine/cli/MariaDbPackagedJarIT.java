package dev.r2dbcengine.cli;

import dev.r2dbcengine.testing.Server;

class MariaDbPackagedJarIT extends ServerPackagedJarContract {

    MariaDbPackagedJarIT() {
        super(Server.MARIADB);
    }

    @Override
    String afterFailure() {
        return "FAILED";
    }
}
