package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.pool.PoolShutdownException;
import reactor.util.context.Context;

/**
 * A pool that is not shut down while somebody is stepping up to borrow from it. reactor-pool forgets a borrower who saw
 * an open pool and joins its queue when that has been emptied for good, and the idle connection that was about to be his;
 * nobody would ever be answered, nor that connection closed. So whoever comes before the shutdown delays it for as long
 * as his subscribing takes, and whoever comes after it is refused.
 */
final class GatedPool extends ConnectionPool {
    private static final int SHUT = Integer.MIN_VALUE;

    /** How many are stepping up; beside it, once it is shut, {@link #SHUT}. */
    private final AtomicInteger gate = new AtomicInteger();

    private final Sinks.Empty<Void> empty = Sinks.empty();
    private final Mono<Connection> create;

    /**
     * A pool as it is configured, but for the tries, each of which goes through the gate.
     *
     * @param tries how often to acquire again after an error; zero: never
     */
    GatedPool(ConnectionPoolConfiguration configurationOfOneTry, int tries) {
        super(configurationOfOneTry);
        Mono<Connection> once = new Borrow(super.create());
        this.create = tries > 0 ? once.retry(tries) : once;
    }

    @Override
    public Mono<Connection> create() {
        return create;
    }

    @Override
    public Mono<Void> disposeLater() {
        return shut().then(Mono.defer(super::disposeLater));
    }

    /** Refuses whoever comes from now on; completes when nobody is stepping up any more. */
    Mono<Void> shut() {
        return Mono.defer(() -> {
            if (gate.getAndUpdate(stepping -> stepping | SHUT) == 0) {
                empty.tryEmitEmpty();
            }
            return empty.asMono();
        });
    }

    private boolean enter() {
        return gate.getAndUpdate(stepping -> stepping < 0 ? stepping : stepping + 1) >= 0;
    }

    private void leave() {
        if (gate.decrementAndGet() == SHUT) {
            empty.tryEmitEmpty();
        }
    }

    private final class Borrow extends Mono<Connection> {
        private final Mono<Connection> pooled;

        Borrow(Mono<Connection> pooled) {
            this.pooled = pooled;
        }

        @Override
        public void subscribe(CoreSubscriber<? super Connection> actual) {
            pooled.subscribe(new Borrower(actual));
        }
    }

    /** To ask is what acquires. */
    private final class Borrower implements CoreSubscriber<Connection>, Subscription {
        private final CoreSubscriber<? super Connection> actual;
        private @Nullable Subscription acquisition;

        Borrower(CoreSubscriber<? super Connection> actual) {
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            acquisition = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            Subscription pooled = Objects.requireNonNull(acquisition);
            if (!enter()) {
                pooled.cancel();
                actual.onError(new PoolShutdownException());
                return;
            }
            try {
                pooled.request(n);
            } finally {
                leave();
            }
        }

        @Override
        public void cancel() {
            Objects.requireNonNull(acquisition).cancel();
        }

        @Override
        public void onNext(Connection connection) {
            actual.onNext(connection);
        }

        @Override
        public void onError(Throwable error) {
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }
    }
}
