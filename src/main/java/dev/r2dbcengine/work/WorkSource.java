package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
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
 * Connections that belong to a unit of work where there is one, else those of the database's own source. A {@link
 * ContextualConnectionSource} goes by the Context alone; a {@link TransactionScope} is there anyway. Each is a source equal only to itself.
 */
interface WorkSource extends ConnectionSource {

    ContextualConnectionSource database();

    /* Where a statement of that Context belongs. Null: to no unit. */
    @Nullable TransactionScope level(ContextView context);

    @Override
    default <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(
                        actual,
                        () -> database().source().one(statement),
                        level -> new StatementOperation<>(level, statement, actual));
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
                        level -> new RowStreamOperation<>(level, statement, actual));
            }
        };
    }

    private <T, R extends QueuedOperation & Subscription> void enter(
            CoreSubscriber<? super T> actual,
            Supplier<? extends Publisher<T>> outside,
            Function<TransactionScope, R> inside) {
        TransactionScope level;
        try {
            level = level(actual.currentContext());
        } catch (RuntimeException e) {
            Operators.error(actual, e);
            return;
        }
        if (level == null) {
            outside.get().subscribe(actual);
        } else {
            R turn = inside.apply(level);
            actual.onSubscribe(turn);
            level.enter(turn);
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
            TransactionScope level = level(context);
            return level == null
                    ? outside.apply(database().source())
                    : one(connection -> Mono.just(new GuardedConnection(connection, level)));
        });
    }

    @Override
    default Mono<Void> giveBack(Connection connection, Outcome outcome) {
        return connection instanceof GuardedConnection
                ? Mono.empty()
                : database().source().giveBack(connection, outcome);
    }

    @Override
    default Mono<Connection> openUnpooled() {
        return database().source().openUnpooled();
    }
}
