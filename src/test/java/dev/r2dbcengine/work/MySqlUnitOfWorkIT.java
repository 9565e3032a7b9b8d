package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;
import reactor.core.publisher.Mono;

@OnMySql
class MySqlUnitOfWorkIT extends DatabaseUnitOfWorkContract {
    MySqlUnitOfWorkIT() {
        super(Server.MYSQL);
    }

    /* The isolation level, the read-only mode and the autocommit mode are those of later transactions; the library enforces
    the timeout itself. */
    @Override
    String specialSettings() {
        return "REPEATABLE-READ 0 3 0 1";
    }

    @Override
    String endlessInsert() {
        return "insert into item(name) values (sleep(60))";
    }

    @Override
    String delayedDuplicateInsert() {
        return "insert into item(id) select id from item where sleep(0.1) = 0";
    }

    @Override
    Mono<Void> loseConnection(Work work) {
        return work.sql("select connection_id()").map(Long.class).one().flatMap(id -> database.execute("kill " + id));
    }
}
