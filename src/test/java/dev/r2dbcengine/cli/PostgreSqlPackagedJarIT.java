package dev.r2dbcengine.cli;

import dev.r2dbcengine.testing.Server;

class PostgreSqlPackagedJarIT extends ServerPackagedJarContract {

    PostgreSqlPackagedJarIT() {
        super(Server.POSTGRESQL);
    }

    @Override
    String afterFailure() {
        return "NOT_APPLIED";
    }
}
