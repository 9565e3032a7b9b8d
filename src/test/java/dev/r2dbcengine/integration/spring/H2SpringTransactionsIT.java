package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class H2SpringTransactionsIT extends SpringTransactionsContract {
    H2SpringTransactionsIT() {
        super(Server.H2);
    }
}
