package dev.r2dbcengine.internal.url;

import dev.r2dbcengine.internal.text.Printable;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The identity of an engine: the address of the database, the user and the driver options. The password and the pool
 * settings are not part of it. An in-memory database is identified by driver and name.
 */
public record EngineKey(
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

    public EngineKey {
        // The default port applies to a single host; in a list, each host names its port or the driver chooses one.
        port = port == 0 && !host.contains(",") ? DEFAULT_PORTS.getOrDefault(driver, 0) : port;
        host = host.toLowerCase(Locale.ROOT);
    }

    /** Returns whether the URLs of a driver may name several hosts. */
    static boolean hasHosts(String driver) {
        return Set.of("postgresql", "mariadb", "mysql").contains(driver);
    }

    static int defaultPort(String driver) {
        return DEFAULT_PORTS.getOrDefault(driver, 0);
    }

    public boolean inMemory() {
        return protocol.equals(H2Memory.MEM);
    }

    /**
     * Returns the redacted URL. It omits the password, all options (each driver has secret ones), the settings that
     * follow the name of a database after a semicolon, as in URLs of H2, and the part of a database name before an @,
     * which may be the rest of a password that contains an unencoded slash.
     */
    @Override
    public String toString() {
        return Printable.line("r2dbc:" + driver + (protocol.isEmpty() ? "" : ":" + protocol) + "://"
                + (user.isEmpty() ? "" : user + "@") + host + (port == 0 ? "" : ":" + port) + "/"
                + databaseShown());
    }

    /** Returns the name of the database, redacted as in {@link #toString}. */
    public String databaseShown() {
        return driver.equals("h2")
                ? H2Memory.name(database)
                : database.replaceFirst("(?s)^.*@", "…@").replaceFirst("(?s);.*", ";…");
    }
}
