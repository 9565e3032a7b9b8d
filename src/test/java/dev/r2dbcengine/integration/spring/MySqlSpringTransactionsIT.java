package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlSpringTransactionsIT extends SpringTransactionsContract {
    MySqlSpringTransactionsIT() {
        super(Server.MYSQL);
    }
}
