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

    @Override
    String longStatement() {
        return "select sleep(200)";
    }

    @Override
    String countRunning(String beginning) {
        return "select cast(count(*) as signed int) from information_schema.processlist where db = database() and info like '"
                + beginning + "%'";
    }
}
