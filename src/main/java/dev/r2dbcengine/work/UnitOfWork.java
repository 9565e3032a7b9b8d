package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.TimeSetting;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.sql.UserCode;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
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
 * Runs a body in one transaction on one connection: all or nothing. An immutable value: each method returns a new one, and
 * threads may share it. Cold: each subscription is a run of its own, and what is within it learns of it by the Reactor
 * Context; what loses the Context ({@code subscribe()}, {@code block()}, {@code toFuture()} in the body) is outside.
 *
 * <p>The connection is borrowed and the transaction begun at the first statement; a body without one takes no connection.
 * When the body completes the transaction is committed, when it fails it is rolled back, and so it is when the subscriber
 * leaves before the COMMIT was sent. Then the connection goes back to the pool, and only then the subscriber is told: the
 * value, or the body's or the commit's own error, unwrapped, with what went wrong after it suppressed. A subscriber who
 * leaves does not wait: the rest happens behind his back, and what fails there reaches the {@link WorkListener}.
 *
 * <p><b>Nothing is cancelled in flight.</b> BEGIN, statements, COMMIT and ROLLBACK run to their end once they were sent;
 * only then the next one is. A ROLLBACK that overtook a statement would leave it to commit by itself. A statement that
 * goes on for longer than the {@linkplain #graceTime grace time} after the body is over is ended from outside, and then
 * nothing is committed.
 *
 * <p>On MariaDB and H2, DDL commits by itself, and so does whatever the body did before it.
 */
public final class UnitOfWork {

    private final WorkSource source;
    private final WorkSettings settings;

    private UnitOfWork(WorkSource source, WorkSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    /**
     * Units on connections of a source, for what builds engines; applications take {@code Engine.unitOfWork()}.
     *
     * @param source where connections come from, and by whose identity units join
     * @param dialect of the database, subscribed where it is needed
     * @param name of the database product, for {@link #connectionFactory()}
     * @param statements is told of the statements of units
     * @param units is told of the units
     * @param bound transactions of a framework that units and statements join, or {@link BoundConnections#NONE}
     * @return units as the defaults are
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
     * Units within an open one: savepoints of it, whether the Context tells of it or not.
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
     * What to do within another unit.
     *
     * @param propagation by default {@link Propagation#REQUIRED}
     * @return units that do so
     */
    public UnitOfWork propagation(Propagation propagation) {
        return with(copy -> copy.propagation = Objects.requireNonNull(propagation, "propagation"));
    }

    /**
     * Runs each transaction in an isolation level, and leaves the connection's own as it was. A unit that asks for another
     * level than the one it is to join fails.
     *
     * @param isolation by default that of the database
     * @return units of that level
     */
    public UnitOfWork isolation(IsolationLevel isolation) {
        return with(copy -> copy.isolation = isolation);
    }

    /**
     * Runs each transaction read-only. Where the database cannot see to it (H2) it is a hint without effect. A unit that
     * joins takes the transaction as it is.
     *
     * @return units that read
     */
    public UnitOfWork readOnly() {
        return with(copy -> copy.readOnly = true);
    }

    /**
     * Limits the time of the body, waiting for the connection included, but not that of opening an engine whose first use
     * this is, which has limits of its own. When it is over the body is cancelled and rolled back, whatever
     * {@link #rollbackOn} says, and then the subscriber gets a {@link WorkTimeoutException}. On H2 it also limits each
     * statement, which only closing its connection would end otherwise.
     *
     * @param limit by default zero, which is none
     * @return units with that timeout
     * @throws IllegalArgumentException when it is negative
     */
    public UnitOfWork timeout(Duration limit) {
        return with(copy -> copy.timeout = TimeSetting.checked(limit, "timeout"));
    }

    /**
     * Limits the time that a statement waits for a lock. MariaDB rounds it up to whole seconds.
     *
     * @param limit by default zero, which leaves it to the database
     * @return units with that timeout
     * @throws IllegalArgumentException when it is negative
     */
    public UnitOfWork lockWaitTimeout(Duration limit) {
        return with(copy -> copy.lockWaitTimeout = TimeSetting.checked(limit, "lockWaitTimeout"));
    }

    /**
     * Names the units, for errors and listeners.
     *
     * @param name by default "unit of work"
     * @return units of that name
     */
    public UnitOfWork name(String name) {
        return with(copy -> copy.name = Objects.requireNonNull(name, "name"));
    }

    /**
     * Runs a unit again, from the start and in a new transaction, when the database calls its failure transient. Only a unit
     * that begins a transaction does so, and a stream only before its first row; not one whose COMMIT was sent, unless the
     * server's answer tells that it rolled back. The body has to bear being run again. After the last attempt its failure
     * is told, with the earlier ones suppressed.
     *
     * @param policy by default there is none
     * @return units that are run again
     */
    public UnitOfWork retry(RetryPolicy policy) {
        return with(copy -> copy.retry = policy);
    }

    /**
     * Says which failures of a body roll back. After others the transaction is committed, and then the failure told.
     *
     * @param failures by default all
     * @return units that roll back so
     */
    public UnitOfWork rollbackOn(Predicate<? super Throwable> failures) {
        return with(copy -> copy.rollbackOn = Objects.requireNonNull(failures, "failures"));
    }

    /**
     * Rolls back always; the subscriber gets what the body gives. For tests and dry runs.
     *
     * @return units that leave nothing behind
     */
    public UnitOfWork alwaysRollback() {
        return with(copy -> copy.alwaysRollback = true);
    }

    /**
     * Sets each transaction up, before its first statement: a tenant for row-level security, a role. When it fails, so does
     * that statement, and the transaction is rolled back. Not run for a unit that joins or nests. It is never cancelled.
     *
     * @param setUp what to do; it uses the {@code Work} that it gets, for statements only
     * @return units with that set-up
     */
    public UnitOfWork onBegin(Function<? super Work, ? extends Publisher<?>> setUp) {
        Objects.requireNonNull(setUp, "setUp");
        return with(copy -> copy.onBegin =
                (transaction, connection) -> new TransactionSetUp(transaction, connection).run(setUp));
    }

    /**
     * Limits the time of each call that ends a unit: commit, rollback, return of the connection, each action after that.
     * A commit that is not answered in time is in doubt; the connection is discarded.
     *
     * @param limit by default 10 seconds; zero is none
     * @return units with that timeout
     * @throws IllegalArgumentException when it is negative
     */
    public UnitOfWork cleanupTimeout(Duration limit) {
        return with(copy -> copy.cleanupTimeout = TimeSetting.checked(limit, "cleanupTimeout"));
    }

    /**
     * How long a statement may go on after the body of its unit is over, was cancelled or has timed out. After that the
     * database is asked to end it (PostgreSQL by a cancel request, MariaDB by KILL QUERY), and when it cannot, or does not
     * within another such time, the connection is closed. Either way the connection is not used again, and the unit, or the
     * savepoint, is rolled back: one that had come to a good end fails with a {@link WorkTimeoutException}.
     *
     * @param time by default 5 seconds; zero ends it at once
     * @return units with that grace time
     * @throws IllegalArgumentException when it is negative
     */
    public UnitOfWork graceTime(Duration time) {
        return with(copy -> copy.graceTime = TimeSetting.checked(time, "graceTime"));
    }

    /**
     * How many rows of an open stream are kept for its subscriber when another statement of the unit needs the connection.
     * With more the stream fails with {@link RowBufferException}. It bounds the rows, not their size.
     *
     * @param rows by default 65,536
     * @return units with that bound
     * @throws IllegalArgumentException when it is less than 1
     */
    public UnitOfWork rowBuffer(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("A row buffer of " + rows + " rows: at least 1 is needed");
        }
        return with(copy -> copy.rowBuffer = rows);
    }

    /**
     * Runs a body that gives at most one value.
     *
     * @param body what to do; called at each subscription, and at each attempt
     * @param <T> the type of the value
     * @return the value, or empty, after the commit
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
     * Runs a body that gives many values. They pass BEFORE the commit, which the completion tells of, and the connection is
     * held for as long as the subscriber takes. A subscriber who leaves before the completion, as {@code next()}, {@code
     * take(n)} and {@code Mono.from(…)} do, rolls back.
     *
     * @param body what to do; called at each subscription
     * @param <T> the type of the values
     * @return the values, as they are asked for
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
     * Runs what is subscribed within a unit, as {@link #execute} does: {@code save(order).as(uow::transactional)}.
     *
     * @param source what to run; its statements join by the Context
     * @param <T> the type of the value
     * @return the value, or empty, after the commit
     */
    public <T> Mono<T> transactional(Mono<T> source) {
        return execute(work -> source);
    }

    /**
     * Runs what is subscribed within a unit, as {@link #stream} does: values before the commit.
     *
     * @param source what to run; its statements join by the Context
     * @param <T> the type of the values
     * @return the values, as they are asked for
     */
    public <T> Flux<T> transactional(Flux<T> source) {
        return stream(work -> source);
    }

    /**
     * The connections of units: within one, that of the unit, guarded as {@link Work#connection()} is; outside, one that
     * closing gives back. For libraries that keep the Reactor Context (Spring's {@code DatabaseClient}). One that loses it
     * (jOOQ) is always outside, and takes {@link Work#connectionFactory()}.
     *
     * <p>A transaction that is begun on a connection outside is a unit with these settings, but without retries, from the
     * begin to the commit or rollback: with its {@link #onBegin set-up}, timeouts and listener, and nothing of it is
     * cancelled in flight. A begin within it is a savepoint. Closing the connection before the end rolls it back. When its
     * timeout has rolled it back, what its holder still sends fails, and the commit and the rollback with the {@link
     * WorkTimeoutException}; then the connection may be used again.
     * Actions after its end run before the connection is back, since its holder may go on with it.
     *
     * @return a factory whose metadata names the database; equal to each other one of the same engine handle, so that
     *     Spring's transaction manager and client may take one each
     */
    public ConnectionFactory connectionFactory() {
        return new SourceConnectionFactory(source, settings);
    }

    /**
     * The source that these units run on, for statements that join them: within a unit its connection, outside one of their
     * own.
     *
     * @return a source that asks the Context
     */
    public ConnectionSource source() {
        return source;
    }

    /**
     * A statement that joins these units: within one it is one of the unit's, outside it has a connection of its own.
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed
     */
    public SqlStatement sql(String sql) {
        return source.database().sql(source, sql);
    }

    /**
     * The dialect of the database that these units run on.
     *
     * @return the dialect, as it was given
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
            UnitExecution.start(own, settings, single, alone(body), new DefaultWork(own, false), actual);
        } else if (outer != null) {
            join(outer, single, body, actual);
        } else {
            this.<T>attempts(single, alone(body)).subscribe(actual);
        }
    }

    /* Null for a unit that begins another. */
    private @Nullable TransactionScope outer(ContextView context) {
        if (settings.propagation == Propagation.REQUIRES_NEW) {
            return null;
        }
        TransactionScope outer = source.scope(context);
        if (outer != null) {
            checkIsolation(outer.transaction());
        } else if (settings.propagation == Propagation.MANDATORY) {
            throw new WorkException(settings.name + " has to run within another unit of work on the same engine"
                    + " (Propagation.MANDATORY), and the Reactor Context of its subscriber tells of none");
        }
        return outer;
    }

    /* Null for a unit that joins, and for one whose transactions UnitAttempts makes. */
    private @Nullable TransactionScope own(@Nullable TransactionScope outer, Context context) {
        if (outer != null) {
            return settings.propagation == Propagation.NESTED ? new Savepoint(outer, context) : null;
        }
        Database database = source.database();
        return database.known() == null || settings.retry != null
                ? null
                : new Transaction(database, settings, context, 1);
    }

    /* Without the dialect a statement would have to wait for it before it queues, and might be overtaken. */
    private <T> Flux<T> attempts(boolean single, Function<? super Work, ? extends Publisher<? extends T>> body) {
        Database database = source.database();
        Dialect known = database.known();
        Mono<Dialect> dialect = known == null ? database.dialect() : Mono.just(known);
        return dialect.flatMapMany(found -> new UnitAttempts<T>(database, settings, single, body).run(found));
    }

    /* What runs in a unit that has not joined a framework's transaction is not to find that. */
    private <T> Function<? super Work, ? extends Publisher<? extends T>> alone(
            Function<? super Work, ? extends Publisher<? extends T>> body) {
        return settings.propagation == Propagation.REQUIRES_NEW
                ? work -> Flux.<T>from(UnitExecution.subscribe(body, work))
                        .contextWrite(source.database()::withoutBound)
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
