package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class PostgreSqlShopIT extends ShopContract {
    PostgreSqlShopIT() {
        super(Server.POSTGRESQL);
    }
}
