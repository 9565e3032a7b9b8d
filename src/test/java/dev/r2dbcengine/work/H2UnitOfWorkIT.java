package dev.r2dbcengine.work;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.Server;
import reactor.core.publisher.Mono;

class H2UnitOfWorkIT extends DatabaseUnitOfWorkContract {
    H2UnitOfWorkIT() {
        super(Server.H2);
    }

    @Override
    Mono<String> settings(Engine of) {
        return of.sql("select isolation_level || ' ' || lock_timeout() || ' ' || (select setting_value from"
                        + " information_schema.settings where setting_name = 'QUERY_TIMEOUT')"
                        + " from information_schema.sessions where session_id = session_id()")
                .map(String.class)
                .one();
    }

    @Override
    Mono<Void> loseConnection(Work work) {
        return work.connection()
                .flatMap(connection -> Mono.from(Dialect.unwrap(connection).close()));
    }
}
