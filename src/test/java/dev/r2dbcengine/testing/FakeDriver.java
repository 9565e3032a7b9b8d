package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * An asynchronous driver without a database, for behaviour that is rare in a real one. It can answer late, never,
 * twice, wrongly, or to a subscriber that has cancelled; it counts open connections, and records each call and each
 * misuse.
 *
 * <p>By default it answers everything at once, on the calling thread: a statement with an update count of 1 and no
 * rows. {@link #answer} sets other answers of a statement, {@link #on} the behaviour of a call; if several match, the
 * latest one with uses left applies. Calls are counted and recorded on subscription. Thread safe.
 *
 * <pre>{@code
 * FakeDriver driver = new FakeDriver();
 * driver.answer("select id from orders", FakeRow.of("id", 1), FakeRow.of("id", 2));
 * FakeGate gate = driver.on(Call.COMMIT).times(1).waits();
 * …
 * assertThat(driver.calls()).containsExactly("1 create", "1 begin", "1 execute select id from orders", "1 commit");
 * assertThat(driver.violations()).isEmpty();
 * }</pre>
 *
 * <p>A connection is in use from the subscription of a call to its end; with a statement, until its results are read.
 * Violations are: a call on a connection that is in use or closed; a second close; results that are not read, or read
 * twice; an {@code add()} without bindings before or after it.
 */
public final class FakeDriver implements ConnectionFactory, ConnectionFactoryMetadata {
    private final String name;
    private final FakeLog log = new FakeLog();
    private final List<FakeBehaviour> behaviours = new CopyOnWriteArrayList<>();
    private final List<FakeAnswer> answers = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean bare;
    private volatile boolean queueing;
    private volatile String serverVersion = "1.0";

    /** Creates a driver with the name "Fake". */
    public FakeDriver() {
        this("Fake");
    }

    /** Creates a driver with this name: "PostgreSQL", "H2". */
    public FakeDriver(String name) {
        this.name = name;
    }

    /** Makes {@link #create} return a publisher that is not a {@code Mono}. */
    public FakeDriver withBarePublishers() {
        bare = true;
        return this;
    }

    /** Queues the calls on a connection, as drivers of remote databases do, and answers them in order. */
    public FakeDriver queueing() {
        queueing = true;
        return this;
    }

    /** Sets the version that the connections report. */
    public FakeDriver serverVersion(String version) {
        serverVersion = version;
        return this;
    }

    String serverVersion() {
        return serverVersion;
    }

    boolean isQueueing() {
        return queueing;
    }

    /** Keeps counters and violations only, for so many calls that the lists would need too much memory. */
    public FakeDriver withoutRecording() {
        log.stopRecording();
        return this;
    }

    /** Sets the behaviour of a call. */
    public FakeBehaviour on(Call call) {
        return on(call, any -> true);
    }

    /** Sets the behaviour of a call whose detail (usually the SQL) matches. */
    public FakeBehaviour on(Call call, Predicate<String> detail) {
        FakeBehaviour behaviour = new FakeBehaviour(call, detail);
        behaviours.add(0, behaviour);
        return behaviour;
    }

    /** Removes all behaviours; calls that wait at a gate still wait. */
    public void behaveOrdinarily() {
        behaviours.clear();
    }

    /** Sets the rows of a statement. */
    public FakeAnswer answer(String sql, FakeRow... rows) {
        return answer(sql::equals, rows);
    }

    /** Sets the rows of matching statements. */
    public FakeAnswer answer(Predicate<String> sql, FakeRow... rows) {
        return answered(new FakeAnswer(sql, rows.length, index -> rows[index], FakeAnswer.NO_COUNT));
    }

    /** Sets the number of rows of a statement, each created when it is requested. */
    public FakeAnswer answer(String sql, int size, IntFunction<FakeRow> row) {
        return answered(new FakeAnswer(sql::equals, size, row, FakeAnswer.NO_COUNT));
    }

    /** Sets the update count of a statement. */
    public FakeAnswer answer(String sql, long updated) {
        return answered(FakeAnswer.updating(sql::equals, updated));
    }

    private FakeAnswer answered(FakeAnswer answer) {
        answers.add(0, answer);
        return answer;
    }

    @Override
    public Publisher<? extends Connection> create() {
        throwIfConfigured(Call.CREATE, "");
        Publisher<Connection> publisher = subscriber -> new Creation(subscriber, connections.incrementAndGet()).start();
        return bare ? publisher : Mono.fromDirect(publisher);
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return this;
    }

    @Override
    public String getName() {
        return name;
    }

    /**
     * Returns the subscribed calls and those that were cancelled in flight, in order, as "1 begin" or "1 cancel begin";
     * the number is that of the connection.
     */
    public List<String> calls(Call... hidden) {
        EnumSet<Call> set = EnumSet.noneOf(Call.class);
        Collections.addAll(set, hidden);
        return log.calls(set);
    }

    /** Returns the executed statements with their bindings. */
    public List<ExecutedStatement> executed() {
        return log.executed();
    }

    /** Returns the Context of each subscriber of {@link #create}. */
    public List<ContextView> createContexts() {
        return log.createContexts();
    }

    /** Returns the misuses, each with the number of its connection. */
    public List<String> violations() {
        return log.violations();
    }

    /**
     * Returns the misuses without those that discarding causes: the connection is closed under the pool, which then
     * validates it.
     */
    public List<String> violationsButDiscards() {
        return violations().stream()
                .filter(call -> !call.matches("\\d+ (validate after close|close again)"))
                .toList();
    }

    /** Clears calls, statements, contexts and the demand for rows; keeps the violations and the other counters. */
    public void clear() {
        log.clear();
    }

    /** Returns the number of open connections. */
    public int openConnections() {
        return log.createdConnections() - log.closedConnections();
    }

    /** Returns the number of connections that were created. */
    public int createdConnections() {
        return log.createdConnections();
    }

    /** Returns the number of connections that were closed. */
    public int closedConnections() {
        return log.closedConnections();
    }

    /** Returns the number of statements that were subscribed. */
    public long executions() {
        return log.executions();
    }

    /**
     * Returns the number of rows that were requested in all streams; {@code Long.MAX_VALUE} after an unbounded request.
     */
    public long rowsRequested() {
        return log.rowsRequested();
    }

    /** Returns the number of rows that were emitted in all streams. */
    public long rowsEmitted() {
        return log.rowsEmitted();
    }

    /** Returns the number of rows that were requested and not emitted yet. */
    public long rowsOutstanding() {
        return log.rowsRequested() - log.rowsEmitted();
    }

    FakeLog log() {
        return log;
    }

    FakeBehaviour behaviour(Call call, String detail) {
        return behaviour(call, detail, false);
    }

    void throwIfConfigured(Call call, String detail) {
        behaviour(call, detail, true).throwIfConfigured();
    }

    private FakeBehaviour behaviour(Call call, String detail, boolean throwing) {
        for (FakeBehaviour behaviour : behaviours) {
            if (behaviour.matches(call, detail, throwing)) {
                return behaviour;
            }
        }
        return FakeBehaviour.ORDINARY;
    }

    FakeAnswer answerTo(String sql) {
        for (FakeAnswer answer : answers) {
            if (answer.matches(sql)) {
                return answer;
            }
        }
        return FakeAnswer.DEFAULT;
    }

    private final class Creation extends FakeExchange<Connection> {
        private final Subscriber<? super Connection> subscriber;
        private final int number;

        Creation(Subscriber<? super Connection> subscriber, int number) {
            super(FakeDriver.this, subscriber, Call.CREATE, number, "");
            this.subscriber = subscriber;
            this.number = number;
        }

        @Override
        @Nullable Throwable begin() {
            log.createdFor(subscriber);
            return null;
        }

        @Override
        Iterator<Connection> answer() {
            return new FakeValues<>(1, index -> new FakeConnection(FakeDriver.this, number));
        }

        @Override
        void ended(End end) {
            // A connection that was not emitted does not count.
        }
    }
}
