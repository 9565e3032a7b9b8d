package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlStatement;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * What the body of a {@link UnitOfWork} gets: statements on the unit's one connection. Valid until the body has ended; what
 * comes later fails with {@link WorkEndedException}. Threads may share it: {@code zip}, {@code flatMap} and {@code merge}
 * of its statements run one after the other, in the order of subscription.
 */
public interface Work {

    /**
     * A statement of this unit. The first one borrows the connection and begins the transaction.
     *
     * <p>A row stream that is still open when another statement of the unit is subscribed makes way for it: its remaining
     * rows are read into a buffer ({@link UnitOfWork#rowBuffer(int)}).
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed
     */
    SqlStatement sql(String sql);

    /**
     * A repository that works on this unit; the same instance wherever the unit, or one that has joined it, asks for the
     * type. It is made with a {@code Work} that serves the savepoints of this unit, too.
     *
     * @param type of the repository
     * @param create makes it, once a unit; called on the thread that asks first
     * @param <R> the type
     * @return the unit's instance
     */
    <R> R repository(Class<R> type, Function<? super Work, ? extends R> create);

    /**
     * Runs a body within a savepoint, as a unit with {@link Propagation#NESTED} does. When it fails, what it did is undone
     * and the failure is the subscriber's; this unit goes on if that is handled. Statements of this unit that are
     * subscribed meanwhile wait until the savepoint has ended.
     *
     * @param body what to do; it uses the {@code Work} that it gets
     * @param <T> what it gives
     * @return cold; the value, once the savepoint is released
     */
    <T> Mono<T> savepoint(Function<? super Work, ? extends Mono<T>> body);

    /**
     * The unit's connection, for what needs the SPI. It is guarded: a transaction begun on it is a savepoint; a commit without
     * one is refused, and a rollback without one lets the unit roll back at its end; autocommit, another isolation level and
     * timeouts are refused. {@code close()} rolls back a transaction that was begun on it and is still open, and lets later
     * calls on this object fail; the unit keeps its connection. Calls are not cancelled in flight, and the unit's end waits
     * for them; but their order, among each other and beside {@link #sql}, is the caller's to keep.
     *
     * @return cold; the connection, begun
     */
    Mono<Connection> connection();

    /**
     * {@link #connection()} for libraries that take a factory, and for those that lose the Reactor Context (jOOQ). jOOQ's
     * {@code transactionPublisher} emits its value before it commits: take {@code Flux.from(…).single()} of it, not {@code
     * Mono.from(…)}, which cancels it there.
     *
     * @return a factory of guarded connections of this unit
     */
    ConnectionFactory connectionFactory();

    /**
     * The connections of this unit, for what is built on a source. Leaves the unit's ends to the unit.
     *
     * @return a source that needs no Context
     */
    ConnectionSource source();

    /**
     * Lets the unit roll back at its end, whatever its body gives: the subscriber gets the value all the same. Called in a
     * unit that has joined, the outer unit fails with {@link UnexpectedRollbackException}.
     *
     * @throws WorkEndedException if the body has ended
     */
    void setRollbackOnly();

    /**
     * Adds an action before the commit, within the transaction; in a nested unit, before its savepoint is released. Its
     * failure rolls back what it is before, whatever {@link UnitOfWork#rollbackOn} says of failures of the body. In a unit
     * that has joined, it waits for the unit that began.
     *
     * @param action subscribed when the body has ended and is to be committed, after those that were added before
     * @throws WorkEndedException if the body has ended
     */
    void beforeCommit(Mono<Void> action);

    /**
     * Adds an action after the commit: once the connection is back, and before the unit emits its value. It is no part of
     * the unit: it has no transaction, its failure reaches {@link WorkListener#hookFailed} only, and after {@link
     * UnitOfWork#cleanupTimeout} it is waited for no longer. Dropped with a savepoint that is rolled back.
     *
     * @param action subscribed after those that were added before
     * @throws WorkEndedException if the body has ended
     */
    void afterCommit(Mono<Void> action);

    /**
     * Adds an action after a rollback, as {@link #afterCommit}. When nobody knows whether the unit was committed, neither is
     * run.
     *
     * @param action subscribed after those that were added before
     * @throws WorkEndedException if the body has ended
     */
    void afterRollback(Mono<Void> action);
}
