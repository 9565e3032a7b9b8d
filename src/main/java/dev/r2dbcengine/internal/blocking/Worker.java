package dev.r2dbcengine.internal.blocking;

import io.r2dbc.spi.Closeable;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * The thread of one connection of a blocking driver, which works on the thread that calls it. Subscriptions and
 * requests that come from a non-blocking thread run on this thread; others run on the calling thread. Each connection
 * has its own thread: with fewer threads than connections, a COMMIT could queue behind a statement that waits for its
 * lock.
 */
final class Worker {
    private static final AtomicInteger STARTED = new AtomicInteger();

    /* A lock-free queue, since an event loop that submits work must not block. */
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>(), Worker::newThread);
    private final Scheduler scheduler = Schedulers.fromExecutorService(thread);

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "r2dbc-engine-worker-" + STARTED.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    <T> Flux<T> flux(Supplier<? extends Publisher<? extends T>> call) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                Worker.this.subscribe(call, actual);
            }
        };
    }

    <T> Mono<T> mono(Supplier<? extends Publisher<? extends T>> call) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                Worker.this.subscribe(call, actual);
            }
        };
    }

    /** Closes a connection, then shuts this thread down after its queued tasks. Closing twice has no effect. */
    Mono<Void> close(Closeable connection) {
        return Mono.defer(() -> thread.isShutdown()
                ? Mono.empty()
                : this.<Void>mono(connection::close).doFinally(signal -> thread.shutdown()));
    }

    private <T> void subscribe(Supplier<? extends Publisher<? extends T>> call, CoreSubscriber<? super T> actual) {
        Relay<T> relay = new Relay<>(actual);
        actual.onSubscribe(relay);
        if (Schedulers.isInNonBlockingThread()) {
            run(() -> relay.start(call), relay);
        } else {
            relay.start(call);
        }
    }

    private void run(Runnable work, Relay<?> relay) {
        try {
            thread.execute(work);
        } catch (RuntimeException e) {
            relay.reject(new IllegalStateException("The connection is closed", e));
        }
    }

    /** A subscriber between the driver and its subscriber that moves subscription and requests to the worker thread. */
    private final class Relay<T> extends Operators.DeferredSubscription implements CoreSubscriber<T> {
        private final CoreSubscriber<? super T> actual;

        Relay(CoreSubscriber<? super T> actual) {
            this.actual = actual;
        }

        /** Signals the error once, even if both subscription and request are rejected. */
        synchronized void reject(Throwable error) {
            if (!isCancelled()) {
                terminate();
                onError(error);
            }
        }

        void start(Supplier<? extends Publisher<? extends T>> call) {
            try {
                call.get().subscribe(this);
            } catch (Throwable e) {
                onError(e);
            }
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            set(subscription);
        }

        @Override
        public void request(long n) {
            if (Schedulers.isInNonBlockingThread()) {
                run(() -> super.request(n), this);
            } else {
                super.request(n);
            }
        }

        @Override
        public void onNext(T value) {
            actual.onNext(value);
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
