package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class PostgreSqlSpringTransactionsIT extends SpringTransactionsContract {
    PostgreSqlSpringTransactionsIT() {
        super(Server.POSTGRESQL);
    }
}
