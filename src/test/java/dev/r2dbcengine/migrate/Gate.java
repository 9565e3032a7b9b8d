package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Blocks a script until the test closes this gate: by a lock that the test holds; on H2, which has no such lock, by a latch. */
public final class Gate implements AutoCloseable {
    /** Of the lock on PostgreSQL. */
    static final int NUMBER = 4711;

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Map<String, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

    private final TestDatabase database;
    private final String statement;
    private final String waiting;
    private final Mono<Void> opening;

    private Gate(TestDatabase database, String statement, String waiting, Mono<Void> opening) {
        this.database = database;
        this.statement = statement;
        this.waiting = waiting;
        this.opening = opening.cache();
    }

    static Gate shut(Server server, TestDatabase database) {
        String name = "gate_" + database.name();
        return switch (server) {
            case H2 -> {
                LATCHES.put(name, new CountDownLatch(1));
                yield new Gate(
                        database,
                        "create alias if not exists pass for '" + Gate.class.getName() + ".pass';\ncall pass('" + name
                                + "')",
                        "select count(*) from information_schema.sessions where executing_statement like 'call pass%'",
                        Mono.fromRunnable(Objects.requireNonNull(LATCHES.get(name))::countDown));
            }
            case POSTGRESQL ->
                new Gate(
                        database,
                        "select pg_advisory_xact_lock(" + NUMBER + ")",
                        "select count(*) from pg_locks where locktype = 'advisory' and objid = " + NUMBER
                                + " and not granted and database = (select oid from pg_database where datname ="
                                + " current_database())",
                        held(database, "select pg_advisory_lock(" + NUMBER + ")"));
            case MARIADB, MYSQL ->
                new Gate(
                        database,
                        "select get_lock('" + name + "', 60)",
                        "select count(*) from information_schema.processlist where info like 'select get_lock(''" + name
                                + "%'",
                        held(database, "select get_lock('" + name + "', 0)"));
        };
    }

    /** Takes the lock; what is answered gives it back. */
    private static Mono<Void> held(TestDatabase database, String lock) {
        Connection holder = Objects.requireNonNull(Mono.<Connection>fromDirect(
                        ConnectionFactories.get(database.url()).create())
                .delayUntil(connection ->
                        Flux.from(connection.createStatement(lock).execute()).concatMap(result -> result.map(row -> 1)))
                .block(LONG));
        return Mono.fromDirect(holder.close());
    }

    /** For a script: it ends when this is open. */
    String statement() {
        return statement;
    }

    /** Waits until a session waits here. */
    void reached() {
        until(database, waiting);
    }

    /** Waits until this counts something. */
    static void until(TestDatabase database, String count) {
        database.query(count, Long.class)
                .filter(counts -> counts.get(0) > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(20)))
                .block(LONG);
    }

    /** The body of a Java alias in H2. */
    public static boolean pass(String name) throws InterruptedException {
        return Objects.requireNonNull(LATCHES.get(name)).await(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    void open() {
        opening.block(LONG);
    }

    @Override
    public void close() {
        open();
    }
}
