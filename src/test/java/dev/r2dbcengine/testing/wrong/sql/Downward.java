package dev.r2dbcengine.testing.wrong.sql;

import dev.r2dbcengine.testing.wrong.dialect.Upward;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Closes a cycle, makes a pool, and blocks. */
public final class Downward {
    Optional<Upward> cycle = Mono.<Upward>empty().blockOptional();

    ConnectionPool pool() {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///wrong"))
                .build());
    }
}
