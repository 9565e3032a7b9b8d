package dev.r2dbcengine.internal.url;

import static dev.r2dbcengine.internal.url.EngineUrl.text;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;

/**
 * Creates connection factories for r2dbc-mariadb without its high-availability modes. In these modes the driver
 * replaces a lost session within an open connection and reports that only inside a transaction: session settings are
 * lost, and the next statement runs in autocommit mode. Without a mode, a connection is closed with its session, and a
 * new connection still tries all hosts.
 */
public final class MariadbHosts {
    private static final Option<String> MODE = Option.valueOf("haMode");
    private static final Set<String> BALANCED = Set.of("loadbalance", "load-balance", "loadbalancing");

    private MariadbHosts() {}

    /** Creates the factory of a driver; for r2dbc-mariadb, one whose connections never switch to another session. */
    public static ConnectionFactory factory(
            ConnectionFactoryOptions options,
            Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> driver) {
        String mode = mode(options);
        if (mode.isEmpty()) {
            return driver.apply(options);
        }
        List<String> hosts = List.of(text(options, HOST).split(","));
        int orders = BALANCED.contains(mode) ? hosts.size() : 1;
        List<ConnectionFactory> factories = IntStream.range(0, orders)
                .<ConnectionFactory>mapToObj(first -> driver.apply(beginningAt(first, hosts, options)))
                .toList();
        return orders == 1 ? factories.get(0) : new Balanced(factories);
    }

    private static String mode(ConnectionFactoryOptions options) {
        String mode = text(options, PROTOCOL).isEmpty() ? text(options, MODE) : text(options, PROTOCOL);
        return text(options, DRIVER).equals("mariadb") ? mode.toLowerCase(Locale.ROOT) : "";
    }

    private static ConnectionFactoryOptions beginningAt(
            int first, List<String> hosts, ConnectionFactoryOptions options) {
        List<String> rotated = new ArrayList<>(hosts);
        Collections.rotate(rotated, -first);
        return ConnectionFactoryOptions.builder()
                .from(options, option -> !option.equals(PROTOCOL) && !option.equals(MODE))
                .option(HOST, String.join(",", rotated))
                .build();
    }

    /** Starts each connection at a random host. */
    private record Balanced(List<ConnectionFactory> factories) implements ConnectionFactory {

        @Override
        public Publisher<? extends Connection> create() {
            return factories
                    .get(ThreadLocalRandom.current().nextInt(factories.size()))
                    .create();
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return factories.get(0).getMetadata();
        }
    }
}
