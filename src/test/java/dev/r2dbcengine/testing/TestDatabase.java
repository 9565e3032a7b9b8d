package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A fresh, empty database for one test, on H2 or on a real server, and a look at it from outside: everything asked here
 * goes over a plain connection of the driver, opened for it and closed after it.
 *
 * <pre>{@code
 * try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
 *     … database.url() …
 *     StepVerifier.create(database.query("select id from orders", Long.class)).expectNext(List.of(1L)).verifyComplete();
 * }
 * }</pre>
 *
 * <p>A server starts when the first test of this JVM asks for it, and stops with the JVM. {@code
 * -Dtest.postgresql.url=r2dbc:postgresql://admin:secret@host:5432/postgres} and {@code -Dtest.mariadb.url=…} name one
 * that runs already; that user must be allowed to create databases and users.
 */
public final class TestDatabase implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Map<Server, TestServer> SERVERS = Map.of(
            Server.H2, new H2Server(),
            Server.POSTGRESQL, new PostgreSqlServer(),
            Server.MARIADB, new MariaDbServer());

    private final TestServer server;
    private final String name;
    private final Set<String> users = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Connection> keeper = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestDatabase(TestServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Starts the server if need be, and creates a database on it that nobody else has. Blocks. */
    public static TestDatabase fresh(Server on) {
        String random = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        TestDatabase database = new TestDatabase(Objects.requireNonNull(SERVERS.get(on)), "test" + random);
        database.server.create(database.name).block(DEADLINE);
        return database;
    }

    /**
     * H2: holds the database until {@link #close}, so that what one connection writes the next one sees. Without it an
     * in-memory database dies with its last connection, as it does for the code under test. Elsewhere it does nothing.
     */
    public TestDatabase keepAlive() {
        if (server.isInMemory() && keeper.get() == null) {
            keeper.set(connect().block(DEADLINE));
        }
        return this;
    }

    /** With the user and password of an administrator; on H2 without any. */
    public String url() {
        return server.isInMemory() ? "r2dbc:h2:mem:///" + name : url(user(), password());
    }

    /** The same database for another user. */
    public String url(String user, String password) {
        String login = encoded(user) + ":" + encoded(password) + "@";
        return server.isInMemory()
                ? "r2dbc:h2:mem://" + login + "localhost/" + name
                : "r2dbc:" + option(ConnectionFactoryOptions.DRIVER) + "://" + login + host() + ":" + port() + "/"
                        + name;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Of the server; H2 has none, and this throws. */
    public String host() {
        return option(ConnectionFactoryOptions.HOST);
    }

    /** Of the server; H2 has none, and this throws. */
    public int port() {
        return Integer.parseInt(option(ConnectionFactoryOptions.PORT));
    }

    /** Of the database; unique. */
    public String name() {
        return name;
    }

    /** Of the administrator; H2 has none, and this throws. */
    public String user() {
        return option(ConnectionFactoryOptions.USER);
    }

    /** Of the administrator; H2 has none, and this throws. */
    public String password() {
        return option(ConnectionFactoryOptions.PASSWORD);
    }

    private String option(Option<?> option) {
        return server.database(name).getRequiredValue(option).toString();
    }

    /** Executes each statement by itself, all on one connection, each in its own transaction. */
    public Mono<Void> execute(String... sql) {
        return connected(connection -> Flux.fromArray(sql)
                .concatMap(one -> server.execute(connection, one))
                .then());
    }

    /** The first column of all rows; it must not be null. */
    public <T> Mono<List<T>> query(String sql, Class<T> type) {
        return connected(connection -> query(connection, sql, type));
    }

    private static <T> Mono<List<T>> query(Connection connection, String sql, Class<T> type) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.map(row -> Objects.requireNonNull(row.get(0, type))))
                .collectList();
    }

    /** How many sessions of others there are now; a server may take a moment to see that a connection was closed. */
    public Mono<Integer> sessions() {
        return query(server.countSessions(name), Integer.class)
                .map(counts -> counts.get(0) - (keeper.get() == null ? 0 : 1));
    }

    /** Ends the sessions of others, as an administrator or a restart does. */
    public Mono<Void> endSessions() {
        return connected(server::endOtherSessions);
    }

    /** Counts until there are so many sessions, for up to a minute; the last count. */
    public Mono<Integer> sessionsSettlingAt(int expected) {
        return sessions()
                .repeatWhen(again -> again.delayElements(PAUSE))
                .takeUntil(count -> count == expected)
                .takeUntilOther(Mono.delay(SETTLING))
                .last();
    }

    /**
     * A user who may log in to this database and create tables there, until it is closed. Names are the server's, not
     * the database's: take one that contains {@link #name}, or tests that run at once collide. H2: {@link #keepAlive}.
     */
    public Mono<Void> createUser(String user, String password) {
        return execute(server.createUser(name, user, password).toArray(String[]::new))
                .doFirst(() -> users.add(user));
    }

    /** From now on this user logs in with this password; open sessions stay. */
    public Mono<Void> changePassword(String user, String password) {
        return execute(server.changePassword(user, password));
    }

    /** Drops the database, whoever is connected to it, and its users. Blocks. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Connection kept = keeper.get();
            Mono<Void> release = kept == null ? Mono.empty() : Mono.from(kept.close());
            release.then(server.drop(name))
                    .thenMany(Flux.fromIterable(users).concatMap(server::dropUser))
                    .then()
                    .block(DEADLINE);
        }
    }

    private <T> Mono<T> connected(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(connect(), work, Connection::close);
    }

    private Mono<Connection> connect() {
        return TestServer.connect(server.database(name));
    }

    @Override
    public String toString() {
        return server.database(name).toString();
    }
}
