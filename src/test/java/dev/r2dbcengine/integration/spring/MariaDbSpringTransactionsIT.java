package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.Server;

class MariaDbSpringTransactionsIT extends SpringTransactionsContract {
    MariaDbSpringTransactionsIT() {
        super(Server.MARIADB);
    }
}
