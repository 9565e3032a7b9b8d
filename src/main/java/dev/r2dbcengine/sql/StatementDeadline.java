package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Enforces the timeout of a statement: asks the database to cancel it, and closes the connection if the database cannot
 * or does not.
 *
 * <pre>
 * state     signal                                                  next
 * RUNNING   the statement completes or fails: the signal is passed  DONE
 *           the timeout expires: a cancel request is sent           EXPIRED
 * EXPIRED   the request has completed and the statement has failed
 *           as cancelled: a timeout is emitted                      DONE
 *           there is no request, it failed, the statement ended
 *           otherwise, or 5 s passed: the connection is closed      CLOSING
 * CLOSING   the close has completed, failed or timed out: a timeout
 *           with {@code connectionClosed} is emitted
 * </pre>
 *
 * <p>Rows are discarded from EXPIRED on. The subscriber's cancel is passed to the statement and changes no state.
 */
final class StatementDeadline<T> extends Flux<T> {

    private static final int RUNNING = 0;
    private static final int EXPIRED = 1;
    private static final int CLOSING = 2;
    private static final int DONE = 3;

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
        /* A composite, since the first timer may fire before its Disposable is stored. */
        private final Disposable.Composite timers = Disposables.composite();

        private volatile int state;
        /* Serializes a row on the driver's thread and the error on the timer's: the first thread emits for the second. */
        @SuppressWarnings("UnusedVariable") // by its updater
        private volatile int emitting;

        /* The statement and the cancel request have both to terminate: PostgreSQL may handle the request last, and it
        must not hit the next statement. */
        @SuppressWarnings("UnusedVariable") // by its updater
        private volatile int awaited = 2;

        private @Nullable Throwable cancellation;
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
                    actual.onError(execution.timedOut(true, null));
                }
            } else {
                Operators.onDiscard(row, currentContext());
            }
        }

        @Override
        public void onError(Throwable e) {
            if (STATE.compareAndSet(this, RUNNING, DONE)) {
                timers.dispose();
                actual.onError(e);
            } else if (dialect().kindOf(e) != ErrorKind.CANCELLED) {
                close();
            } else {
                cancellation = e;
                cancelledOnRequest();
            }
        }

        @Override
        public void onComplete() {
            if (STATE.compareAndSet(this, RUNNING, DONE)) {
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
            after(StatementLimits.GRACE, this::close);
            execution.cancelRequest(connection).subscribe(this::requested, e -> close());
        }

        private void requested(boolean accepted) {
            if (accepted) {
                cancelledOnRequest();
            } else {
                close();
            }
        }

        private void cancelledOnRequest() {
            if (AWAITED.decrementAndGet(this) == 0 && STATE.compareAndSet(this, EXPIRED, DONE)) {
                timers.dispose();
                actual.onError(execution.timedOut(false, cancellation));
            }
        }

        /* Also after the statement ended by itself: the pending cancel request could hit the next one. */
        private void close() {
            if (STATE.compareAndSet(this, EXPIRED, CLOSING)) {
                timers.dispose();
                StatementEnd.close(connection)
                        .timeout(StatementLimits.GRACE)
                        .subscribe(null, e -> closed(), this::closed);
            }
        }

        private void closed() {
            StatementTimeoutException late = execution.timedOut(true, null);
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
