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
 * Database} goes by the Context alone; a {@link Level} is there anyway. Each is a source equal only to itself.
 */
interface WorkSource extends ConnectionSource {

    Database database();

    /* Where a statement of that Context belongs. Null: to no unit. */
    @Nullable Level level(ContextView context);

    @Override
    default <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(
                        actual,
                        () -> database().source().one(statement),
                        level -> new StatementTurn<>(level, statement, actual));
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
                        level -> new RowsTurn<>(level, statement, actual));
            }
        };
    }

    private <T, R extends Turn & Subscription> void enter(
            CoreSubscriber<? super T> actual, Supplier<? extends Publisher<T>> outside, Function<Level, R> inside) {
        Level level;
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
            Level level = level(context);
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
