package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.TimeSetting;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.sql.UserCode;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs a body in one transaction on one connection. Immutable: each method returns a new value, and threads may share it.
 * Cold: each subscription is a separate execution. Statements and units in the body find it through the Reactor Context; code
 * that loses the Context ({@code subscribe()}, {@code block()}, {@code toFuture()} in the body) runs outside the unit.
 *
 * <p>The first statement acquires the connection and begins the transaction; a body without statements needs no connection.
 * If the body completes, the transaction is committed. If the body fails, or the subscriber cancels before the COMMIT was
 * sent, it is rolled back. Then the connection is released to the pool, and only then the subscriber receives the outcome:
 * the value, or the original error of the body or of the commit, with later failures suppressed in it. After a cancellation,
 * cleanup continues in the background, and its failures are reported to the {@link WorkListener}.
 *
 * <p><b>Nothing is cancelled in flight.</b> BEGIN, statements, COMMIT and ROLLBACK, once sent, run to completion before the
 * next one is sent: a ROLLBACK that overtook a statement would let the statement commit by itself. If a statement still runs
 * when the {@linkplain #graceTime grace time} after the end of the body has passed, it is terminated, and nothing is
 * committed.
 *
 * <p>On MariaDB and H2, a DDL statement commits the transaction, including all earlier changes of the body.
 */
public final class UnitOfWork {

    /**
     * The option of a {@link io.r2dbc.spi.TransactionDefinition} for {@link #timeout}, on a connection of {@link
     * #connectionFactory()}.
     */
    public static final Option<Duration> TIMEOUT = Option.valueOf("dev.r2dbcengine.timeout");

    private final WorkSource source;
    private final WorkSettings settings;

    private UnitOfWork(WorkSource source, WorkSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    /**
     * Creates units on connections of a source, for code that builds engines. Applications use {@code Engine.unitOfWork()}.
     *
     * @param source the source of connections; units join units on a source with an equal identity
     * @param dialect the dialect of the database, subscribed when it is needed
     * @param name the name of the database product, for {@link #connectionFactory()}
     * @param statements receives the events of the units' statements
     * @param units receives the events of the units
     * @param bound finds the transactions of a framework that units and statements join, or {@link BoundConnections#NONE}
     * @return units with default settings
     */
    public static UnitOfWork on(
            ConnectionSource source,
            Mono<Dialect> dialect,
            Supplier<String> name,
            SqlListener statements,
            WorkListener units,
            BoundConnections bound) {
        return new UnitOfWork(
                new ContextualConnectionSource(source, dialect, name, statements, units, bound), new WorkSettings());
    }

    /**
     * Creates units within an open unit: savepoints, even if the Reactor Context is lost.
     *
     * @param work the open unit
     * @return units that nest
     */
    public static UnitOfWork on(Work work) {
        if (!(work instanceof DefaultWork open)) {
            throw new IllegalArgumentException(
                    "Not a unit of work of this library: " + work.getClass().getName());
        }
        WorkSettings settings = new WorkSettings();
        settings.propagation = Propagation.NESTED;
        settings.graceTime = open.settings().graceTime;
        return new UnitOfWork(open, settings);
    }

    /**
     * Sets the behavior within another unit.
     *
     * @param propagation default: {@link Propagation#REQUIRED}
     * @return units with that propagation
     */
    public UnitOfWork propagation(Propagation propagation) {
        return with(copy -> copy.propagation = Objects.requireNonNull(propagation, "propagation"));
    }

    /**
     * Sets the isolation level of each transaction. The isolation level of the connection is restored at the end. A unit that
     * would join a unit with another isolation level fails.
     *
     * @param isolation default: the database's
     * @return units with that isolation level
     */
    public UnitOfWork isolation(IsolationLevel isolation) {
        return with(copy -> copy.isolation = isolation);
    }

    /**
     * Makes each transaction read-only. On a database without read-only transactions (H2) this is a hint without effect. A
     * unit that joins does not change the transaction.
     *
     * @return read-only units
     */
    public UnitOfWork readOnly() {
        return with(copy -> copy.readOnly = true);
    }

    /**
     * Limits the time of the body, including the acquisition of the connection but not the opening of the engine on its first
     * use, which has separate limits. When the time has passed, the body is cancelled and rolled back, regardless of
     * {@link #rollbackOn}, and then the subscriber receives a {@link WorkTimeoutException}. On H2 the timeout also limits each
     * statement, which could otherwise only be ended by closing its connection.
     *
     * @param limit default: zero, which disables it
     * @return units with that timeout
     * @throws IllegalArgumentException if it is negative
     */
    public UnitOfWork timeout(Duration limit) {
        return with(copy -> copy.timeout = TimeSetting.checked(limit, "timeout"));
    }

    /**
     * Limits the time that a statement waits for a lock. MariaDB rounds it up to whole seconds.
     *
     * @param limit default: zero, which keeps the database's setting
     * @return units with that timeout
     * @throws IllegalArgumentException if it is negative
     */
    public UnitOfWork lockWaitTimeout(Duration limit) {
        return with(copy -> copy.lockWaitTimeout = TimeSetting.checked(limit, "lockWaitTimeout"));
    }

    /**
     * Sets the name of the units in errors and events.
     *
     * @param name default: "unit of work"
     * @return units with that name
     */
    public UnitOfWork name(String name) {
        return with(copy -> copy.name = Objects.requireNonNull(name, "name"));
    }

    /**
     * Retries a unit in a new transaction after a failure that its policy names. Only a unit that begins a transaction is retried, and a
     * stream only before its first row. After a COMMIT was sent, a unit is retried only if the server's answer proves that it
     * rolled back. The body must be safe to run more than once. If the last attempt fails, its failure is emitted, with the
     * earlier failures suppressed.
     *
     * @param policy default: no retries
     * @return units with retries
     */
    public UnitOfWork retry(RetryPolicy policy) {
        return with(copy -> copy.retry = policy);
    }

    /**
     * Sets which failures of the body roll back. After any other failure, the transaction is committed and then the failure
     * is emitted.
     *
     * @param failures default: all
     * @return units with that rule
     */
    public UnitOfWork rollbackOn(Predicate<? super Throwable> failures) {
        return with(copy -> copy.rollbackOn = Objects.requireNonNull(failures, "failures"));
    }

    /**
     * Makes each unit roll back; the subscriber still receives the value of the body. For tests and dry runs.
     *
     * @return units that roll back
     */
    public UnitOfWork alwaysRollback() {
        return with(copy -> copy.alwaysRollback = true);
    }

    /**
     * Adds a set-up that runs in each transaction before its first statement, such as setting a role or the tenant for
     * row-level security. If the set-up fails, that statement fails and the transaction is rolled back. A unit that joins or
     * nests runs no set-up. The set-up is never cancelled.
     *
     * @param setUp the set-up; it must use the {@code Work} that it receives, for statements only
     * @return units with that set-up
     */
    public UnitOfWork onBegin(Function<? super Work, ? extends Publisher<?>> setUp) {
        Objects.requireNonNull(setUp, "setUp");
        return with(copy ->
                copy.onBegin = (transaction, connection) -> new TransactionSetUp(transaction, connection).run(setUp));
    }

    /**
     * Limits the time of each call that ends a unit: the commit, the rollback, the release of the connection, and each action
     * after the end. A commit that is not answered in time is in doubt, and the connection is discarded.
     *
     * @param limit default: 10 s; zero disables it
     * @return units with that timeout
     * @throws IllegalArgumentException if it is negative
     */
    public UnitOfWork cleanupTimeout(Duration limit) {
        return with(copy -> copy.cleanupTimeout = TimeSetting.checked(limit, "cleanupTimeout"));
    }

    /**
     * Limits the time that a statement may run after the body of its unit has completed, failed, timed out or was cancelled.
     * Then the database is asked to end the statement (PostgreSQL by a cancel request, MariaDB by KILL QUERY). If it cannot,
     * or the statement still runs after another grace time, the connection is closed. In both cases the connection is not
     * reused, and the unit or savepoint is rolled back; if its body had completed, it fails with a {@link
     * WorkTimeoutException}.
     *
     * @param time default: 5 s; zero ends the statement at once
     * @return units with that grace time
     * @throws IllegalArgumentException if it is negative
     */
    public UnitOfWork graceTime(Duration time) {
        return with(copy -> copy.graceTime = TimeSetting.checked(time, "graceTime"));
    }

    /**
     * Sets how many rows of an open stream are buffered when another statement of the unit needs the connection. If more rows
     * remain, the stream fails with {@link RowBufferException}. The limit applies to the number of rows, not to their size.
     *
     * @param rows default: 65,536
     * @return units with that bound
     * @throws IllegalArgumentException if it is less than 1
     */
    public UnitOfWork rowBuffer(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("A row buffer of " + rows + " rows: at least 1 is needed");
        }
        return with(copy -> copy.rowBuffer = rows);
    }

    /**
     * Runs a body that emits at most one value.
     *
     * @param body the body; called at each subscription and each attempt
     * @param <T> the type of the value
     * @return cold; the value, or empty, after the commit
     */
    public <T> Mono<T> execute(Function<? super Work, ? extends Mono<T>> body) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                begin(true, body, actual);
            }
        };
    }

    /**
     * Runs a body that emits many values. They are emitted BEFORE the commit; only the completion means that the unit is
     * committed. The connection is held until the subscriber has consumed the values. A cancellation before the completion,
     * as by {@code next()}, {@code take(n)} and {@code Mono.from(…)}, rolls back.
     *
     * @param body the body; called at each subscription and each attempt
     * @param <T> the type of the values
     * @return cold; the values, as they are requested
     */
    public <T> Flux<T> stream(Function<? super Work, ? extends Publisher<T>> body) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                begin(false, body, actual);
            }
        };
    }

    /**
     * Subscribes to a source within a unit, as {@link #execute} does: {@code save(order).as(uow::transactional)}.
     *
     * @param source the body; its statements join through the Context
     * @param <T> the type of the value
     * @return cold; the value, or empty, after the commit
     */
    public <T> Mono<T> transactional(Mono<T> source) {
        return execute(work -> source);
    }

    /**
     * Subscribes to a source within a unit, as {@link #stream} does: the values are emitted before the commit.
     *
     * @param source the body; its statements join through the Context
     * @param <T> the type of the values
     * @return cold; the values, as they are requested
     */
    public <T> Flux<T> transactional(Flux<T> source) {
        return stream(work -> source);
    }

    /**
     * Returns a connection factory for libraries that keep the Reactor Context, such as Spring's {@code DatabaseClient}.
     * Within a unit it returns the connection of that unit, guarded as {@link Work#connection()} is; outside, a connection
     * that is released when it is closed. A library that loses the Context, such as jOOQ, is always outside: pass {@link
     * Work#connectionFactory()} to it.
     *
     * <p>A transaction that is begun on a connection outside is a unit with these settings, except retries: the {@link
     * #onBegin set-up}, timeouts and listener apply, and nothing is cancelled in flight. A begin within it is a savepoint.
     * Closing the connection before the commit rolls back. If the timeout has rolled the transaction back, later statements
     * fail, and so do the commit and the rollback, with the {@link WorkTimeoutException}; then the connection can be used
     * again. Actions after the end run before the connection is released, since the holder may continue to use it.
     *
     * @return a factory whose metadata names the database; equal to all other factories of the same engine handle, so that
     *     Spring's transaction manager and client may have separate factories
     */
    public ConnectionFactory connectionFactory() {
        return new SourceConnectionFactory(source, settings);
    }

    /**
     * Returns the source of statements that join these units: within a unit it lends the unit's connection, outside a
     * connection of the pool.
     *
     * @return a source that finds the unit through the Context
     */
    public ConnectionSource source() {
        return source;
    }

    /**
     * Creates a statement that joins these units: within a unit it uses the unit's connection, outside a connection of the
     * pool.
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed
     */
    public SqlStatement sql(String sql) {
        return source.database().sql(source, sql);
    }

    /**
     * Returns the dialect of the database.
     *
     * @return the dialect that was passed to {@link #on}
     */
    public Mono<Dialect> dialect() {
        return source.database().dialect();
    }

    private <T> void begin(
            boolean single,
            Function<? super Work, ? extends Publisher<? extends T>> body,
            CoreSubscriber<? super T> actual) {
        TransactionScope outer;
        TransactionScope own;
        try {
            outer = outer(actual.currentContext());
            own = own(outer, actual.currentContext());
        } catch (RuntimeException e) {
            Operators.error(actual, e);
            return;
        }
        if (own != null) {
            UnitExecution.start(own, settings, single, unbound(body), new DefaultWork(own, false), actual);
        } else if (outer != null) {
            join(outer, single, body, actual);
        } else {
            this.<T>attempts(single, unbound(body)).subscribe(actual);
        }
    }

    /* Null for a unit that begins a transaction. */
    private @Nullable TransactionScope outer(ContextView context) {
        if (settings.propagation == Propagation.REQUIRES_NEW) {
            return null;
        }
        TransactionScope outer = source.scope(context);
        if (outer != null) {
            checkIsolation(outer.transaction());
        } else if (settings.propagation == Propagation.MANDATORY) {
            throw new WorkException(settings.name + " has to run within another unit of work on the same engine"
                    + " (Propagation.MANDATORY), and the Reactor Context of its subscriber contains none");
        }
        return outer;
    }

    /* Null for a unit that joins, and for one whose transactions UnitAttempts creates. */
    private @Nullable TransactionScope own(@Nullable TransactionScope outer, Context context) {
        if (outer != null) {
            return settings.propagation == Propagation.NESTED ? new Savepoint(outer, context) : null;
        }
        Database database = source.database();
        return database.known() == null || settings.retry != null
                ? null
                : new Transaction(database, settings, context, 1);
    }

    /* The dialect must be known before the first statement: a statement that waits for it could be overtaken in the queue. */
    private <T> Flux<T> attempts(boolean single, Function<? super Work, ? extends Publisher<? extends T>> body) {
        Database database = source.database();
        Dialect known = database.known();
        Mono<Dialect> dialect = known == null ? database.dialect() : Mono.just(known);
        return dialect.flatMapMany(found -> new UnitAttempts<T>(database, settings, single, body).run(found));
    }

    /* Hides a framework's transaction from a unit that has not joined it. */
    private <T> Function<? super Work, ? extends Publisher<? extends T>> unbound(
            Function<? super Work, ? extends Publisher<? extends T>> body) {
        return settings.propagation == Propagation.REQUIRES_NEW
                ? work -> Flux.<T>from(UnitExecution.callBody(body, work)).contextWrite(source.database()::withoutBound)
                : body;
    }

    private <T> void join(
            TransactionScope outer,
            boolean single,
            Function<? super Work, ? extends Publisher<? extends T>> body,
            CoreSubscriber<? super T> actual) {
        JoinedExecution<T> run = new JoinedExecution<>(outer, settings, single, actual);
        limited(UserCode.<T>publisher("the body of a unit", () -> body.apply(new DefaultWork(outer, true))))
                .subscribe(run);
    }

    private <T> Flux<T> limited(Flux<T> joined) {
        Duration limit = settings.timeout;
        return limit.isZero()
                ? joined
                : joined.takeUntilOther(
                        Mono.delay(limit).then(Mono.error(() -> WorkTimeoutException.ofBody(settings.name, limit))));
    }

    private void checkIsolation(Transaction outer) {
        IsolationLevel wanted = settings.isolation;
        if (wanted != null && !wanted.equals(outer.settings().isolation)) {
            throw new WorkException(settings.name + " asks for isolation " + wanted.asSql() + " and is within "
                    + outer.name() + ", which did not: ask for it there, or begin another (Propagation.REQUIRES_NEW)");
        }
    }

    private UnitOfWork with(Consumer<WorkSettings> change) {
        WorkSettings copy = settings.copy();
        change.accept(copy);
        return new UnitOfWork(source, copy);
    }
}
