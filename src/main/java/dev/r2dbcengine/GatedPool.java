package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.pool.PoolShutdownException;

/**
 * A pool that is not shut down while somebody is stepping up to borrow from it. reactor-pool forgets a borrower who saw
 * an open pool and joins its queue when that has been emptied for good: he would never be answered. So whoever comes
 * before the shutdown delays it for as long as his request takes, and whoever comes after it is refused.
 */
final class GatedPool extends ConnectionPool {
    private static final int SHUT = Integer.MIN_VALUE;

    private final Duration limit;
    private final int tries;
    private final Consumer<Connection> lent;
    private final UnaryOperator<CoreSubscriber<? super Connection>> watch;

    /** How many are stepping up; beside it, once it is shut, {@link #SHUT}. */
    private final AtomicInteger gate = new AtomicInteger();

    /** How many have asked and were not answered yet. */
    private final AtomicInteger asking = new AtomicInteger();

    private final Sinks.Empty<Void> empty = Sinks.empty();
    private final Mono<Connection> create;

    /**
     * A pool.
     *
     * @param configuration without the next two, which are not its own: r2dbc-pool starts a timer for each borrow
     * @param limit for one to be borrowed; zero: none
     * @param tries how often to try again after an error; zero: never
     * @param lent is told of each connection of the driver before its borrower gets it
     * @param watch puts who is told of each try before the borrower
     */
    GatedPool(
            ConnectionPoolConfiguration configuration,
            Duration limit,
            int tries,
            Consumer<Connection> lent,
            UnaryOperator<CoreSubscriber<? super Connection>> watch) {
        super(configuration);
        this.limit = limit;
        this.tries = tries;
        this.lent = lent;
        this.watch = watch;
        Mono<Connection> once = new Borrow();
        this.create = tries > 0 ? once.retry(tries) : once;
    }

    @Override
    public Mono<Connection> create() {
        return create;
    }

    /** The same for one who has another pool to turn to if this one is shut. */
    void borrow(CoreSubscriber<? super Connection> borrower, Mono<Connection> elsewhere) {
        if (tries > 0) {
            create.onErrorResume(PoolShutdownException.class, e -> elsewhere).subscribe(borrower);
        } else {
            borrowOnce(borrower, elsewhere);
        }
    }

    private void borrowOnce(CoreSubscriber<? super Connection> borrower, @Nullable Mono<Connection> elsewhere) {
        super.create().subscribe(new Acquisition(this, limit, watch.apply(borrower), elsewhere));
    }

    private final class Borrow extends Mono<Connection> {
        @Override
        public void subscribe(CoreSubscriber<? super Connection> borrower) {
            borrowOnce(borrower, null);
        }
    }

    /**
     * To ask is to step up: it is with the request that reactor-pool learns of a borrower.
     *
     * @return false: the pool is shut, and nothing was asked
     */
    boolean request(Subscription pooled, long n) {
        if (gate.getAndUpdate(stepping -> stepping < 0 ? stepping : stepping + 1) < 0) {
            return false;
        }
        try {
            pooled.request(n);
        } finally {
            if (gate.decrementAndGet() == SHUT) {
                empty.tryEmitEmpty();
            }
        }
        return true;
    }

    void asked() {
        asking.incrementAndGet();
    }

    void answered() {
        asking.decrementAndGet();
    }

    /** Nobody is on the way to a connection. */
    boolean isAnswered() {
        return asking.get() == 0;
    }

    void lent(Connection connection) {
        Connection driver = underPool(connection);
        if (driver != null) {
            lent.accept(driver);
        }
    }

    /** What a pool has handed out as that; null: it is none of a pool's. */
    static @Nullable Connection underPool(Connection pooled) {
        return pooled instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection driver ? driver : null;
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

    @Override
    public Mono<Void> disposeLater() {
        return shut().then(Mono.defer(super::disposeLater));
    }
}
