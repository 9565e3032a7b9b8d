package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.pool.ConnectionAttempt.Created;
import dev.r2dbcengine.internal.url.HostList;
import dev.r2dbcengine.internal.url.Setting;
import dev.r2dbcengine.sql.SessionStatements;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * Chooses the host of each connection: the first, in the order of the list, that answers in time and has the role that the URL
 * asks for. A host that failed is tried last for a while, so that it delays few connections.
 *
 * <p>One chooser belongs to one engine and remembers the hosts that failed.
 */
public final class HostChooser {
    private final HostList list;
    private final Dialect dialect;
    private final Duration timeout;
    private final Duration retryInterval;
    private final AtomicInteger balance =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));

    /** The time until which each host is tried last, of {@link System#nanoTime()}. */
    private final AtomicReferenceArray<@Nullable Long> last;

    /**
     * Creates a chooser.
     *
     * @param timeout how long one host may take to connect and to report its role; zero means no limit
     * @param retryInterval how long a host that failed is tried last; zero means not at all
     */
    public HostChooser(HostList list, Dialect dialect, Duration timeout, Duration retryInterval) {
        this.list = list;
        this.dialect = dialect;
        this.timeout = timeout;
        this.retryInterval = retryInterval;
        this.last = new AtomicReferenceArray<>(list.hosts().size());
    }

    /** Returns a factory of connections to the hosts, which gets the driver's factory for each host. */
    public ConnectionFactory factory(
            ConnectionFactoryOptions options,
            Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> driver) {
        return new AtHosts(IntStream.range(0, list.hosts().size())
                .<ConnectionFactory>mapToObj(host -> driver.apply(list.options(host, options)))
                .toList());
    }

    private List<Integer> order() {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, list.hosts().size()).boxed().toList());
        if (list.balanced()) {
            Collections.rotate(order, -(balance.getAndIncrement() & Integer.MAX_VALUE) % order.size());
        }
        long now = System.nanoTime();
        List<Integer> failed = order.stream().filter(host -> isLast(host, now)).toList();
        order.removeAll(failed);
        order.addAll(failed);
        return order;
    }

    private boolean isLast(int host, long now) {
        Long until = last.get(host);
        return until != null && until - now > 0;
    }

    private void connected(int host) {
        last.set(host, null);
    }

    private void failed(int host) {
        last.set(host, System.nanoTime() + retryInterval.toNanos());
    }

    /** The driver's factory for each host. */
    private final class AtHosts implements ConnectionFactory {
        private final List<ConnectionFactory> factories;

        AtHosts(List<ConnectionFactory> factories) {
            this.factories = factories;
        }

        @Override
        public Mono<Connection> create() {
            return Mono.defer(() -> {
                Search search = new Search(factories);
                return search.next(order().iterator(), list.target()::matches)
                        .switchIfEmpty(Mono.defer(search::accepted));
            });
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return factories.get(0).getMetadata();
        }
    }

    private interface Role {
        boolean accepts(boolean primary);
    }

    /** The search for one connection. */
    private final class Search {
        private final List<ConnectionFactory> factories;
        private final List<Throwable> failures = new ArrayList<>();
        private final List<Integer> ofAnotherRole = new ArrayList<>();

        Search(List<ConnectionFactory> factories) {
            this.factories = factories;
        }

        /** Connects to the next host that works; empty if there is none. */
        Mono<Connection> next(Iterator<Integer> hosts, Role role) {
            if (!hosts.hasNext()) {
                return Mono.empty();
            }
            int host = hosts.next();
            return attempt(host, role)
                    .doOnNext(connection -> connected(host))
                    .doOnError(e -> {
                        failed(host);
                        failures.add(e);
                    })
                    .onErrorComplete()
                    .switchIfEmpty(Mono.defer(() -> next(hosts, role)));
        }

        /** If the role was a preference, connects to a host of another role. */
        Mono<Connection> accepted() {
            Mono<Connection> other = list.target().isPreference()
                    ? next(List.copyOf(ofAnotherRole).iterator(), primary -> true)
                    : Mono.empty();
            return other.switchIfEmpty(Mono.error(this::failure));
        }

        private Mono<Connection> attempt(int host, Role role) {
            return new ConnectionAttempt(
                    () -> Mono.<Connection>fromDirect(factories.get(host).create())
                            .map(connection -> new Created(connection, checkRole(host, connection, role))),
                    timeout,
                    Setting.HOST_TIMEOUT,
                    () -> {},
                    () -> {});
        }

        private Mono<Void> checkRole(int host, Connection connection, Role role) {
            return SessionStatements.isPrimary(connection, dialect)
                    .defaultIfEmpty(true)
                    .flatMap(primary ->
                            role.accepts(primary) ? Mono.empty() : Mono.error(() -> ofAnotherRole(host, primary)));
        }

        private R2dbcException ofAnotherRole(int host, boolean primary) {
            ofAnotherRole.add(host);
            return new R2dbcNonTransientResourceException(list.hosts().get(host) + " is a "
                    + (primary ? "primary" : "secondary") + ", and targetServerType is "
                    + list.target().text());
        }

        /** An error that a server has reported says more than that another one was not reached. */
        private Throwable failure() {
            Throwable first =
                    failures.stream().filter(HostChooser::isAnswer).findFirst().orElse(failures.get(0));
            failures.stream().filter(e -> e != first).forEach(e -> Exceptions.addSuppressed(first, e));
            return first;
        }
    }

    private static boolean isAnswer(Throwable e) {
        return e instanceof R2dbcException answer
                && answer.getSqlState() != null
                && !answer.getSqlState().startsWith("08");
    }
}
