package dev.r2dbcengine.testing.wrong.sql;

import dev.r2dbcengine.testing.wrong.dialect.Upward;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Closes a cycle, makes a pool, parses a URL, and blocks. */
public final class Downward {
    Optional<Upward> cycle = Mono.<Upward>empty().blockOptional();

    ConnectionFactoryOptions options() {
        return ConnectionFactoryOptions.parse("r2dbc:h2:mem:///wrong");
    }

    ConnectionPool pool() {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///wrong"))
                .build());
    }
}
