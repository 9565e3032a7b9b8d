package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class H2ShopIT extends ShopContract {
    H2ShopIT() {
        super(Server.H2);
    }
}
