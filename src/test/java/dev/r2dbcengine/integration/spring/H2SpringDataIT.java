package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class H2SpringDataIT extends SpringDataContract {
    H2SpringDataIT() {
        super(Server.H2);
    }
}
