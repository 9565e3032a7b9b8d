package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import io.r2dbc.spi.Connection;
import java.util.Objects;
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
 * Connections that belong to a unit of work where there is one: the level that a handle is bound to, or a deeper one of
 * the same transaction in the subscriber's Context; without such a handle, the level of the Context. Where there is none,
 * the connections of the source beneath.
 */
final class WorkSource implements ConnectionSource {

    private final ConnectionSource source;
    private final @Nullable Level own;

    WorkSource(ConnectionSource source, @Nullable Level own) {
        this.source = source;
        this.own = own;
    }

    WorkSource(Level own) {
        this(own.transaction().database().source(), own);
    }

    @Nullable Level level(ContextView context) {
        Level bound = own;
        if (bound == null) {
            return Scope.isNone(context) ? null : Scope.find(context, source.identity(context));
        }
        Level there = Scope.find(context, bound.transaction());
        if (there == null && bound.isInSavepoint()) {
            throw new WorkException("A savepoint of " + bound.transaction().name()
                    + " is open, and the Reactor Context that would tell whether this statement belongs to it is lost:"
                    + " use the Work that the savepoint's body was given");
        }
        return there != null && there.isWithin(bound) ? there : bound;
    }

    @Override
    public <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(actual, () -> source.one(statement), level -> new StatementTurn<>(level, statement, actual));
            }
        };
    }

    @Override
    public <T> Flux<T> rows(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                enter(actual, () -> source.rows(statement), level -> new RowsTurn<>(level, statement, actual));
            }
        };
    }

    private <T, R extends Turn & Subscription> void enter(
            CoreSubscriber<? super T> actual, Supplier<? extends Publisher<T>> outside, Function<Level, R> inside) {
        try {
            Level level = level(actual.currentContext());
            if (level == null) {
                outside.get().subscribe(actual);
            } else {
                R turn = inside.apply(level);
                actual.onSubscribe(turn);
                level.enter(turn);
            }
        } catch (WorkException e) {
            Operators.error(actual, e);
        }
    }

    @Override
    public Mono<Connection> borrow() {
        return Mono.deferContextual(context -> {
            Level level = level(context);
            return level == null
                    ? source.borrow()
                    : one(connection -> Mono.just(new GuardedConnection(connection, level)));
        });
    }

    @Override
    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
        return connection instanceof GuardedConnection ? Mono.empty() : source.giveBack(connection, outcome);
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return source.openUnpooled();
    }

    @Override
    public Object identity(ContextView context) {
        Level bound = own;
        return bound == null ? source.identity(context) : bound.transaction().identity();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkSource that && that.source == source && that.own == own;
    }

    @Override
    public int hashCode() {
        return Objects.hash(System.identityHashCode(source), System.identityHashCode(own));
    }
}
