package dev.r2dbcengine.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Configures the logs of Reactor, Netty and the drivers, which use the JDK's loggers when SLF4J is absent. */
final class JdkLogging {

    private static final Logger ROOT = Logger.getLogger("");
    /** Logs a warning for each error of the database, which the command reports anyway. */
    private static final Logger MARIADB = Logger.getLogger("org.mariadb.r2dbc");

    private JdkLogging() {}

    /** Logs one line per record to the standard error, from WARN. */
    static void warningsOnly() {
        System.setProperty("reactor.logging.fallback", "JDK");
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s %5$s%n");
        ROOT.setLevel(Level.WARNING);
        MARIADB.setLevel(Level.SEVERE);
    }
}
