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
 * An asynchronous driver without a database, for what a real one does too rarely: it answers late, never, twice, wrongly
 * or to a subscriber that has gone, counts what is open, and records what it was asked and every misuse.
 *
 * <p>Without further words it answers everything at once, on the caller's thread: a statement with an update count of 1
 * and no rows. {@link #answer} says what else a statement gives, {@link #on} how a call behaves; of several that fit,
 * the latest that has uses left wins. Calls are counted and recorded when they are subscribed. Thread safe.
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
 * Violations are: a call on a connection in use, or closed; a second close; results left unread or read twice; an
 * {@code add()} without bindings before or after it.
 */
public final class FakeDriver implements ConnectionFactory, ConnectionFactoryMetadata {
    private final String name;
    private final FakeLog log = new FakeLog();
    private final List<FakeBehaviour> behaviours = new CopyOnWriteArrayList<>();
    private final List<FakeAnswer> answers = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean bare;

    /** A driver whose name is "Fake". */
    public FakeDriver() {
        this("Fake");
    }

    /** A driver that says it is this one: "PostgreSQL", "H2". */
    public FakeDriver(String name) {
        this.name = name;
    }

    /** {@link #create} gives a publisher that is no {@code Mono}. */
    public FakeDriver withBarePublishers() {
        bare = true;
        return this;
    }

    /** Keeps counters and violations only: for so many calls that lists of them would weigh. */
    public FakeDriver withoutRecording() {
        log.stopRecording();
        return this;
    }

    /** From now on, this call behaves as the methods of the answer say. */
    public FakeBehaviour on(Call call) {
        return on(call, any -> true);
    }

    /** From now on, this call behaves as the methods of the answer say, where its detail (mostly the SQL) fits. */
    public FakeBehaviour on(Call call, Predicate<String> detail) {
        FakeBehaviour behaviour = new FakeBehaviour(call, detail);
        behaviours.add(0, behaviour);
        return behaviour;
    }

    /** Forgets all that {@link #on} was told; what waits at a gate still waits. */
    public void behaveOrdinarily() {
        behaviours.clear();
    }

    /** This statement gives these rows. */
    public FakeAnswer answer(String sql, FakeRow... rows) {
        return answer(sql::equals, rows);
    }

    /** Such a statement gives these rows. */
    public FakeAnswer answer(Predicate<String> sql, FakeRow... rows) {
        return answered(new FakeAnswer(sql, rows.length, index -> rows[index], FakeAnswer.NO_COUNT));
    }

    /** This statement gives so many rows, each made when it is asked for. */
    public FakeAnswer answer(String sql, int size, IntFunction<FakeRow> row) {
        return answered(new FakeAnswer(sql::equals, size, row, FakeAnswer.NO_COUNT));
    }

    /** This statement updates so many rows. */
    public FakeAnswer answer(String sql, long updated) {
        return answered(FakeAnswer.updating(sql::equals, updated));
    }

    private FakeAnswer answered(FakeAnswer answer) {
        answers.add(0, answer);
        return answer;
    }

    @Override
    public Publisher<? extends Connection> create() {
        throwIfAsked(Call.CREATE, "");
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
     * What was subscribed and what was cancelled in flight, in order, as "1 begin" or "1 cancel begin"; the number is the
     * connection's.
     */
    public List<String> calls(Call... hidden) {
        EnumSet<Call> set = EnumSet.noneOf(Call.class);
        Collections.addAll(set, hidden);
        return log.calls(set);
    }

    /** The statements executed, with what was bound. */
    public List<ExecutedStatement> executed() {
        return log.executed();
    }

    /** The Context of each subscriber of {@link #create}. */
    public List<ContextView> createContexts() {
        return log.createContexts();
    }

    /** The misuses, each with the number of its connection. */
    public List<String> violations() {
        return log.violations();
    }

    /** Without what comes of discarding a connection: it is closed under the pool, which then looks at it. */
    public List<String> violationsButDiscards() {
        return violations().stream()
                .filter(call -> !call.matches("\\d+ (validate after close|close again)"))
                .toList();
    }

    /** Forgets calls, statements, contexts and the demand for rows; not the violations, nor the other counters. */
    public void clear() {
        log.clear();
    }

    /** Handed out and not closed. */
    public int openConnections() {
        return log.createdConnections() - log.closedConnections();
    }

    /** Handed out so far. */
    public int createdConnections() {
        return log.createdConnections();
    }

    /** Closed so far. */
    public int closedConnections() {
        return log.closedConnections();
    }

    /** Statements subscribed so far. */
    public long executions() {
        return log.executions();
    }

    /** Rows asked for in all row streams; {@code Long.MAX_VALUE} if one has asked for everything. */
    public long rowsRequested() {
        return log.rowsRequested();
    }

    /** Rows given in all row streams. */
    public long rowsEmitted() {
        return log.rowsEmitted();
    }

    /** Rows asked for that were not given, or not yet. */
    public long rowsOutstanding() {
        return log.rowsRequested() - log.rowsEmitted();
    }

    FakeLog log() {
        return log;
    }

    FakeBehaviour behaviour(Call call, String detail) {
        return behaviour(call, detail, false);
    }

    void throwIfAsked(Call call, String detail) {
        behaviour(call, detail, true).throwIfAsked();
    }

    private FakeBehaviour behaviour(Call call, String detail, boolean throwing) {
        for (FakeBehaviour behaviour : behaviours) {
            if (behaviour.isMeant(call, detail, throwing)) {
                return behaviour;
            }
        }
        return FakeBehaviour.ORDINARY;
    }

    FakeAnswer answerTo(String sql) {
        for (FakeAnswer answer : answers) {
            if (answer.isMeant(sql)) {
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
            // A connection that was not handed out does not exist.
        }
    }
}
