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

    @Override
    String longStatement() {
        return "select pg_sleep(200)";
    }

    @Override
    String countRunning(String beginning) {
        return "select count(*)::int from pg_stat_activity where datname = current_database() and state = 'active' and query like '"
                + beginning + "%'";
    }
}
