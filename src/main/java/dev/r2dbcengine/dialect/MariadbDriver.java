package dev.r2dbcengine.dialect;

import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import org.mariadb.r2dbc.api.MariadbConnection;

/** Calls of MariaDB's driver beyond the SPI. Loaded only when a statement is cancelled. */
final class MariadbDriver {

    private MariadbDriver() {}

    static @Nullable String kill(Connection connection) {
        return connection instanceof MariadbConnection mariadb ? "KILL QUERY " + mariadb.getThreadId() : null;
    }
}
