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
 * A fresh, empty database for one test, on H2 or on a real server. Its queries use a plain connection of the driver,
 * opened and closed for each.
 *
 * <pre>{@code
 * try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
 * … database.url() …
 * StepVerifier.create(database.query("select id from orders", Long.class)).expectNext(List.of(1L)).verifyComplete();
 * }
 * }</pre>
 *
 * <p>A server starts when the first test of this JVM needs it, and stops with the JVM. {@code
 * -Dtest.postgresql.url=r2dbc:postgresql://admin:secret@host:5432/postgres} {@code -Dtest.mariadb.url=…} and
 * {@code -Dtest.mysql.url=…} name a running one; that user must be allowed to create databases and users.
 */
public final class TestDatabase implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Map<Server, TestServer> SERVERS = Map.of(
            Server.H2,
            new H2Server(),
            Server.POSTGRESQL,
            new PostgreSqlServer(),
            Server.MARIADB,
            MySqlFamilyServer.mariadb(),
            Server.MYSQL,
            MySqlFamilyServer.mysql());

    private final TestServer server;
    private final String name;
    private final Set<String> users = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Connection> keeper = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestDatabase(TestServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Starts the server if necessary, and creates a database with a unique name. Blocks. */
    public static TestDatabase fresh(Server on) {
        String random = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        TestDatabase database = new TestDatabase(Objects.requireNonNull(SERVERS.get(on)), "test" + random);
        database.server.create(database.name).block(DEADLINE);
        return database;
    }

    /**
     * H2: keeps the database alive until {@link #close}. Without it an in-memory database is removed with its last
     * connection, as for the code under test. No effect on other databases.
     */
    public TestDatabase keepAlive() {
        if (server.isInMemory() && keeper.get() == null) {
            keeper.set(connect().block(DEADLINE));
        }
        return this;
    }

    /** Returns the URL with the user and password of an administrator; on H2 without any. */
    public String url() {
        return server.isInMemory() ? "r2dbc:h2:mem:///" + name : url(user(), password());
    }

    /** Returns the URL of this database for another user. */
    public String url(String user, String password) {
        String login = encoded(user) + ":" + encoded(password) + "@";
        return server.isInMemory()
                ? "r2dbc:h2:mem://" + login + "localhost/" + name
                : "r2dbc:" + option(ConnectionFactoryOptions.DRIVER) + "://" + login + host() + ":" + port() + "/"
                        + name;
    }

    /** The same database for JDBC, with {@link #user} and {@link #password}; H2 has none. */
    public String jdbcUrl() {
        return server.isInMemory()
                ? "jdbc:h2:mem:" + name
                : "jdbc:" + option(ConnectionFactoryOptions.DRIVER) + "://" + host() + ":" + port() + "/" + name
                        + jdbcOptions();
    }

    /** MariaDB's driver serves MySQL as well. */
    private String jdbcOptions() {
        return option(ConnectionFactoryOptions.DRIVER).equals("mysql")
                ? "?permitMysqlScheme&allowPublicKeyRetrieval=true"
                : "";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns this property of the server; throws on H2, which has none. */
    public String host() {
        return option(ConnectionFactoryOptions.HOST);
    }

    /** Returns this property of the server; throws on H2, which has none. */
    public int port() {
        return Integer.parseInt(option(ConnectionFactoryOptions.PORT));
    }

    /** Returns the unique name of the database. */
    public String name() {
        return name;
    }

    /** Returns the administrator's value; throws on H2, which has none. */
    public String user() {
        return option(ConnectionFactoryOptions.USER);
    }

    /** Returns the administrator's value; throws on H2, which has none. */
    public String password() {
        return option(ConnectionFactoryOptions.PASSWORD);
    }

    private String option(Option<?> option) {
        return server.database(name).getRequiredValue(option).toString();
    }

    /** Executes each statement in its own transaction, all on one connection. */
    public Mono<Void> execute(String... sql) {
        return connected(connection -> Flux.fromArray(sql)
                .concatMap(one -> server.execute(connection, one))
                .then());
    }

    /** Returns the first column of all rows, which must not be null. */
    public <T> Mono<List<T>> query(String sql, Class<T> type) {
        return connected(connection -> query(connection, sql, type));
    }

    private static <T> Mono<List<T>> query(Connection connection, String sql, Class<T> type) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.map(row -> Objects.requireNonNull(row.get(0, type))))
                .collectList();
    }

    /** Returns the current number of other sessions; a server may need a moment to notice a closed connection. */
    public Mono<Integer> sessions() {
        return query(server.countSessions(name), Integer.class)
                .map(counts -> counts.get(0) - (keeper.get() == null ? 0 : 1));
    }

    /** Terminates the other sessions, as an administrator or a restart does. */
    public Mono<Void> endSessions() {
        return connected(server::endOtherSessions);
    }

    /** Polls until there is this number of sessions, for up to a minute. Returns the last count. */
    public Mono<Integer> sessionsSettlingAt(int expected) {
        return sessions()
                .repeatWhen(again -> again.delayElements(PAUSE))
                .takeUntil(count -> count == expected)
                .takeUntilOther(Mono.delay(SETTLING))
                .last();
    }

    /**
     * Creates a user that may log in to this database and create tables, until it is closed. Names are global to the
     * server: use one that contains {@link #name}, so concurrent tests do not collide. On H2 call {@link #keepAlive}
     * first.
     */
    public Mono<Void> createUser(String user, String password) {
        return execute(server.createUser(name, user, password).toArray(String[]::new))
                .doFirst(() -> users.add(user));
    }

    /** Changes the password of a user; open sessions stay. */
    public Mono<Void> changePassword(String user, String password) {
        return execute(server.changePassword(user, password));
    }

    /** Drops the database, even while it is in use, and its users. Blocks. */
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
