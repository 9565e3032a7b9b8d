package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlStatement;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * An open unit of work, passed to the body of a {@link UnitOfWork}: its statements run on the unit's one connection. Valid
 * until the body has ended; later statements fail with {@link WorkEndedException}. Threads may share it: the statements of
 * {@code zip}, {@code flatMap} and {@code merge} run one after the other, in the order of subscription.
 */
public interface Work {

    /**
     * Creates a statement of this unit. The first statement acquires the connection and begins the transaction when it is
     * subscribed.
     *
     * <p>If a row stream is still open when another statement of the unit is subscribed, its remaining rows are read into a
     * buffer ({@link UnitOfWork#rowBuffer(int)}), and then the other statement runs.
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed
     */
    SqlStatement sql(String sql);

    /**
     * Returns the repository of a type that belongs to this unit, creating it on the first call. Units that have joined and
     * savepoints share the instance; its {@code Work} serves the savepoints, too.
     *
     * @param type the type of the repository
     * @param create creates the repository, once per unit, on the thread of the first call
     * @param <R> the type
     * @return the unit's instance
     */
    <R> R repository(Class<R> type, Function<? super Work, ? extends R> create);

    /**
     * Runs a body within a savepoint, as a unit with {@link Propagation#NESTED} does. If the body fails, its changes are
     * rolled back and the subscriber receives the failure; this unit continues if the failure is handled. Other statements
     * of this unit wait until the savepoint has ended.
     *
     * @param body the body; it must use the {@code Work} that it receives
     * @param <T> the type of the value
     * @return cold; the value, after the savepoint is released
     */
    <T> Mono<T> savepoint(Function<? super Work, ? extends Mono<T>> body);

    /**
     * Emits the unit's connection, for code that needs the SPI. The connection is guarded: a transaction that is begun on it
     * is a savepoint; without one, a commit is rejected and a rollback makes the unit roll back at its end; enabling
     * autocommit, another isolation level, and timeouts are rejected. {@code close()} rolls back a transaction that was begun
     * on it and is still open, and makes later calls on this object fail; the unit keeps its connection. Calls are not
     * cancelled in flight, and the end of the unit waits for them. The caller is responsible for their order, among
     * themselves and relative to {@link #sql}.
     *
     * @return cold; the connection, after the transaction has begun
     */
    Mono<Connection> connection();

    /**
     * Returns a factory of {@link #connection()}, for libraries that need one and for libraries that lose the Reactor
     * Context, such as jOOQ. jOOQ's {@code transactionPublisher} emits its value before it commits: use {@code
     * Flux.from(…).single()}, because {@code Mono.from(…)} cancels it before the commit.
     *
     * @return a factory of guarded connections of this unit
     */
    ConnectionFactory connectionFactory();

    /**
     * Returns a source that lends the connection of this unit, for code that is built on sources. It never ends the unit.
     *
     * @return a source that does not need the Context
     */
    ConnectionSource source();

    /**
     * Makes the unit roll back at its end. The subscriber still receives the value of the body. If a unit that has joined
     * calls it, the outer unit fails with {@link UnexpectedRollbackException}.
     *
     * @throws WorkEndedException if the body has ended
     */
    void setRollbackOnly();

    /**
     * Adds an action that runs in the transaction before the commit; in a nested unit, before its savepoint is released. If
     * the action fails, the transaction or savepoint is rolled back, regardless of {@link UnitOfWork#rollbackOn}. In a unit
     * that has joined, the action runs before the commit of the outer unit. An accepted action runs unless the unit rolls
     * back.
     *
     * @param action subscribed after the body has completed, in the order of addition
     * @throws WorkEndedException if the body has ended
     */
    void beforeCommit(Mono<Void> action);

    /**
     * Adds an action that runs after the commit, when the connection is released and before the unit emits its value. The
     * action has no transaction, its failure is only reported to {@link WorkListener#hookFailed}, and the unit stops waiting
     * for it after {@link UnitOfWork#cleanupTimeout}. If a savepoint is rolled back, its actions are dropped.
     *
     * @param action subscribed in the order of addition
     * @throws WorkEndedException if the body has ended
     */
    void afterCommit(Mono<Void> action);

    /**
     * Adds an action that runs after a rollback, as {@link #afterCommit} does after a commit. If it is not known whether the
     * unit was committed, neither kind runs.
     *
     * @param action subscribed in the order of addition
     * @throws WorkEndedException if the body has ended
     */
    void afterRollback(Mono<Void> action);
}
