package dev.r2dbcengine.dialect;

import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import org.mariadb.r2dbc.api.MariadbConnection;

/** What MariaDB's driver can do beyond the SPI. Loaded only where a statement is to be ended. */
final class MariadbDriver {

    private MariadbDriver() {}

    static @Nullable String kill(Connection connection) {
        return connection instanceof MariadbConnection mariadb ? "KILL QUERY " + mariadb.getThreadId() : null;
    }
}
