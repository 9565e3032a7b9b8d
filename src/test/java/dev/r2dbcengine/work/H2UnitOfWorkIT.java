package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.Server;
import reactor.core.publisher.Mono;

class H2UnitOfWorkIT extends DatabaseUnitOfWorkContract {
    H2UnitOfWorkIT() {
        super(Server.H2);
    }

    @Override
    String specialSettings() {
        return "SERIALIZABLE 3 3000 30000";
    }

    @Override
    String endlessInsert() {
        return "insert into item(name) select cast(count(*) as varchar) from system_range(1, 1000000),"
                + " system_range(1, 1000000)";
    }

    @Override
    String delayedDuplicateInsert() {
        return "insert into item(id) select id from item where (select sum(x * x) from system_range(1, 300000)) > 0";
    }

    @Override
    Mono<Void> loseConnection(Work work) {
        return work.connection()
                .flatMap(connection -> Mono.from(Dialect.unwrap(connection).close()));
    }
}
