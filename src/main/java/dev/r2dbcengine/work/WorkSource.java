package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.ServerSession;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * A source that lends the connection of a unit of work if there is one, else a connection of the database's own source. A
 * {@link ContextualConnectionSource} finds the unit by the Context alone; a {@link DefaultWork} belongs to one.
 */
interface WorkSource extends ConnectionSource {

    Database database();

    /* The scope of a statement with that Context. Null if it belongs to no unit. */
    @Nullable TransactionScope scope(ContextView context);

    @Override
    default <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(
                        actual,
                        () -> database().source().one(statement),
                        scope -> new StatementOperation<>(scope, statement, actual));
            }
        };
    }

    @Override
    default <T> Flux<T> rows(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(
                        actual,
                        () -> database().source().rows(statement),
                        scope -> new RowStreamOperation<>(scope, statement, actual));
            }
        };
    }

    private <T, R extends QueuedOperation & Subscription> void enter(
            CoreSubscriber<? super T> actual,
            Supplier<? extends Publisher<T>> outside,
            Function<TransactionScope, R> inside) {
        TransactionScope scope;
        try {
            scope = scope(actual.currentContext());
        } catch (RuntimeException e) {
            Operators.error(actual, e);
            return;
        }
        if (scope == null) {
            outside.get().subscribe(actual);
        } else {
            R operation = inside.apply(scope);
            actual.onSubscribe(operation);
            scope.enter(operation);
        }
    }

    @Override
    default Mono<Connection> borrow() {
        return guarded(ConnectionSource::borrow);
    }

    @Override
    default Mono<Connection> lend() {
        return guarded(ConnectionSource::lend);
    }

    private Mono<Connection> guarded(Function<ConnectionSource, Mono<Connection>> outside) {
        return Mono.deferContextual(context -> {
            TransactionScope scope = scope(context);
            return scope == null ? outside.apply(database().source()) : GuardedConnection.of(scope);
        });
    }

    @Override
    default Mono<Void> giveBack(Connection connection, Outcome outcome) {
        return connection instanceof GuardedConnection
                ? Mono.empty()
                : database().source().giveBack(connection, outcome);
    }

    @Override
    default Mono<ServerSession> session(Connection connection) {
        return database().source().session(connection);
    }

    @Override
    default Mono<Connection> openUnpooled() {
        return database().source().openUnpooled();
    }
}
