package dev.r2dbcengine.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What Reactor, Netty and the drivers log: without SLF4J they take the loggers of the JDK, or are told to. */
final class JdkLogging {

    private static final Logger ROOT = Logger.getLogger("");
    /** Warns of each error that the database answers with, which is told anyway. */
    private static final Logger MARIADB = Logger.getLogger("org.mariadb.r2dbc");

    private JdkLogging() {}

    /** Lines on the error output, and nothing below WARN. */
    static void warningsAlone() {
        System.setProperty("reactor.logging.fallback", "JDK");
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s %5$s%n");
        ROOT.setLevel(Level.WARNING);
        MARIADB.setLevel(Level.SEVERE);
    }
}
