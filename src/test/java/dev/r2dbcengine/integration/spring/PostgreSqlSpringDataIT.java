package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class PostgreSqlSpringDataIT extends SpringDataContract {
    PostgreSqlSpringDataIT() {
        super(Server.POSTGRESQL);
    }
}
