package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Ends a statement from outside when its time is up: asks the database to, and when it cannot or does not, closes the
 * connection. The end is told when the statement is over, or the connection closed.
 */
final class StatementDeadline<T> extends Flux<T> {

    private static final int RUNNING = 0;
    private static final int EXPIRED = 1;
    private static final int CLOSING = 2;
    private static final int OVER = 3;

    private final Execution<T> execution;
    private final Connection connection;
    private final Duration time;
    private final Flux<T> reading;

    StatementDeadline(Execution<T> execution, Connection connection, Duration time, Flux<T> reading) {
        this.execution = execution;
        this.connection = connection;
        this.time = time;
        this.reading = reading;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        reading.subscribe(new Guard<>(execution, connection, time, actual));
    }

    private static final class Guard<T> implements CoreSubscriber<T>, Subscription {

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Guard> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Guard.class, "state");

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Guard> EMITTING =
                AtomicIntegerFieldUpdater.newUpdater(Guard.class, "emitting");

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Guard> AWAITED =
                AtomicIntegerFieldUpdater.newUpdater(Guard.class, "awaited");

        private final Execution<T> execution;
        private final Connection connection;
        private final Duration time;
        private final CoreSubscriber<? super T> actual;
        /* Both of them: the first may be up before the one who has started it has put it here. */
        private final Disposable.Composite timers = Disposables.composite();

        private volatile int state;
        /* A row on the driver's thread and the end on the clock's: who comes second leaves it to the first. */
        @SuppressWarnings("UnusedVariable") // by its updater
        private volatile int emitting;

        /* The ends of the statement and of the request: PostgreSQL signals twice for one, and the second could meet what
        comes next. */
        @SuppressWarnings("UnusedVariable") // by its updater
        private volatile int awaited = 2;

        private @Nullable Throwable ended;
        private @Nullable Subscription upstream;

        Guard(Execution<T> execution, Connection connection, Duration time, CoreSubscriber<? super T> actual) {
            this.execution = execution;
            this.connection = connection;
            this.time = time;
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            after(time, this::expire);
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            Subscription reading = upstream;
            if (reading != null) {
                reading.request(n);
            }
        }

        @Override
        public void cancel() {
            Subscription reading = upstream;
            if (reading != null) {
                reading.cancel();
            }
        }

        @Override
        public void onNext(T row) {
            if (state == RUNNING && EMITTING.compareAndSet(this, 0, 1)) {
                actual.onNext(row);
                if (EMITTING.decrementAndGet(this) != 0) {
                    actual.onError(execution.late(true, null));
                }
            } else {
                Operators.onDiscard(row, currentContext());
            }
        }

        @Override
        public void onError(Throwable e) {
            if (STATE.compareAndSet(this, RUNNING, OVER)) {
                timers.dispose();
                actual.onError(e);
            } else if (dialect().kindOf(e) != ErrorKind.CANCELLED) {
                close();
            } else {
                ended = e;
                endedAsAsked();
            }
        }

        @Override
        public void onComplete() {
            if (STATE.compareAndSet(this, RUNNING, OVER)) {
                timers.dispose();
                actual.onComplete();
            } else {
                close();
            }
        }

        private void expire() {
            if (!STATE.compareAndSet(this, RUNNING, EXPIRED)) {
                return;
            }
            Publisher<Void> cancel = dialect().cancel(connection);
            if (cancel == null) {
                close();
            } else {
                after(StatementLimits.GRACE, this::close);
                Flux.from(cancel).subscribe(null, e -> close(), this::endedAsAsked);
            }
        }

        private void endedAsAsked() {
            if (AWAITED.decrementAndGet(this) == 0 && STATE.compareAndSet(this, EXPIRED, OVER)) {
                timers.dispose();
                actual.onError(execution.late(false, ended));
            }
        }

        /* Also when the statement ended by itself meanwhile: the request to end it could meet the next one. */
        private void close() {
            if (STATE.compareAndSet(this, EXPIRED, CLOSING)) {
                timers.dispose();
                StatementEnd.close(connection)
                        .timeout(StatementLimits.GRACE)
                        .subscribe(null, e -> closed(), this::closed);
            }
        }

        private void closed() {
            StatementTimeoutException late = execution.late(true, null);
            execution.failed(late);
            if (EMITTING.getAndIncrement(this) == 0) {
                actual.onError(late);
            }
        }

        private void after(Duration delay, Runnable task) {
            timers.add(Schedulers.parallel().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
        }

        private Dialect dialect() {
            return execution.dialect();
        }
    }
}
