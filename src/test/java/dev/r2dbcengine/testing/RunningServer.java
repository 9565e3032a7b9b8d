package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A server that is started, or found, when the first test needs it, and is shared by all tests of this JVM. */
final class RunningServer {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final String driver;
    private final String property;
    private final Supplier<ConnectionFactoryOptions> start;
    private @Nullable ConnectionFactoryOptions administration;

    /**
     * Creates a server. {@code property} names a running one by its R2DBC URL; without it, {@code start} starts one.
     */
    RunningServer(String driver, String property, Supplier<ConnectionFactoryOptions> start) {
        this.driver = driver;
        this.property = property;
        this.start = start;
    }

    /** Returns whether the server ends with this JVM. */
    boolean isOurs() {
        return System.getProperty(property, "").isBlank();
    }

    /** Returns the administrator's options for the database of the property, or for this one. */
    ConnectionFactoryOptions administration(String database) {
        ConnectionFactoryOptions options = options();
        return options.hasOption(ConnectionFactoryOptions.DATABASE) ? options : database(database);
    }

    /** Returns the administrator's options for this database. */
    ConnectionFactoryOptions database(String name) {
        return options()
                .mutate()
                .option(ConnectionFactoryOptions.DATABASE, name)
                .build();
    }

    private synchronized ConnectionFactoryOptions options() {
        ConnectionFactoryOptions known = administration;
        if (known == null) {
            String url = System.getProperty(property, "");
            known = url.isBlank() ? start.get() : found(url);
            Secrets.keep(
                    known.getRequiredValue(ConnectionFactoryOptions.PASSWORD).toString());
            administration = known;
        }
        return known;
    }

    private ConnectionFactoryOptions found(String url) {
        ConnectionFactoryOptions options = parsed(url);
        try {
            Mono.usingWhen(TestServer.connect(options), connection -> Mono.empty(), Connection::close)
                    .block(DEADLINE);
            return options;
        } catch (RuntimeException failure) {
            throw new IllegalStateException(
                    "The server of -D" + property + " does not let us in: " + options + ": " + failure.getMessage(),
                    failure);
        }
    }

    ConnectionFactoryOptions parsed(String url) {
        String expected = "-D" + property + " must be like r2dbc:" + driver + "://admin:secret@host:port/database";
        try {
            ConnectionFactoryOptions options = ConnectionFactoryOptions.parse(url);
            boolean complete = driver.equals(options.getValue(ConnectionFactoryOptions.DRIVER))
                    && options.hasOption(ConnectionFactoryOptions.HOST)
                    && options.hasOption(ConnectionFactoryOptions.PORT)
                    && options.hasOption(ConnectionFactoryOptions.USER)
                    && options.hasOption(ConnectionFactoryOptions.PASSWORD);
            if (!complete) {
                throw new IllegalArgumentException(expected + ", and is " + options);
            }
            return options;
        } catch (IllegalArgumentException failure) {
            throw new IllegalStateException(expected, failure);
        }
    }
}
