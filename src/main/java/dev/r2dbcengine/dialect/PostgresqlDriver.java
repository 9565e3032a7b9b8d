package dev.r2dbcengine.dialect;

import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What PostgreSQL's driver can do beyond the SPI. Loaded only where a connection is to be ended. */
final class PostgresqlDriver {

    private PostgresqlDriver() {}

    /* Done when the server has taken the request, on a connection of the request's own. */
    static @Nullable Publisher<Void> cancel(Connection connection) {
        return connection instanceof PostgresqlConnection postgresql ? postgresql.cancelRequest() : null;
    }
}
