package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Printable;
import java.util.Locale;
import java.util.Map;

/**
 * What makes two URLs the same engine: where the database is and as whom one goes there. The password and the settings
 * of the pool are no part of it; of an in-memory database only the name is.
 */
record EngineKey(
        String driver,
        String protocol,
        String host,
        int port,
        String user,
        String database,
        Map<String, Object> options) {

    private static final Map<String, Integer> DEFAULT_PORTS = Map.of(
            "postgresql", 5432, "mariadb", 3306, "mysql", 3306, "mssql", 1433, "sqlserver", 1433, "oracle", 1521);

    static EngineKey ofMemory(String driver, String name) {
        return new EngineKey(driver, H2Memory.MEM, "", 0, "", name, Map.of());
    }

    EngineKey {
        // One host has a default port; of a list of hosts each names its own, or the driver decides.
        port = port == 0 && !host.contains(",") ? DEFAULT_PORTS.getOrDefault(driver, 0) : port;
        host = host.toLowerCase(Locale.ROOT);
    }

    boolean inMemory() {
        return protocol.equals(H2Memory.MEM);
    }

    /**
     * The redacted URL: no password, and no option either, since each driver has secret ones of its own; nor what H2 takes
     * for options behind the name of a database; nor what precedes an @ in a database on a server, since that may be the
     * rest of a password that has an unencoded slash.
     */
    @Override
    public String toString() {
        return Printable.line("r2dbc:" + driver + (protocol.isEmpty() ? "" : ":" + protocol) + "://"
                + (user.isEmpty() ? "" : user + "@") + host + (port == 0 ? "" : ":" + port) + "/"
                + databaseShown());
    }

    /** The name of the database as messages may show it; see {@link #toString}. */
    String databaseShown() {
        return driver.equals("h2") ? H2Memory.name(database) : database.replaceFirst("(?s)^.*@", "…@");
    }
}
