package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;
import reactor.core.publisher.Mono;

/** MariaDB and MySQL. */
abstract class MySqlFamilyUnitOfWorkContract extends DatabaseUnitOfWorkContract {
    MySqlFamilyUnitOfWorkContract(Server server) {
        super(server);
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
