package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.AcquisitionListener;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.spi.Connection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/** Reports the outcome of an acquisition to a listener and passes all signals through. */
public final class ObservedAcquisition implements CoreSubscriber<Connection>, Subscription {
    private static final Logger LOG = Loggers.getLogger(ReactiveEngineCache.class);

    private final AcquisitionListener listener;
    private final CoreSubscriber<? super Connection> actual;
    private final AtomicBoolean reported = new AtomicBoolean();
    private @Nullable Subscription upstream;

    public ObservedAcquisition(AcquisitionListener listener, CoreSubscriber<? super Connection> actual) {
        this.listener = listener;
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        upstream = subscription;
        actual.onSubscribe(this);
    }

    @Override
    public void onNext(Connection connection) {
        report(AcquisitionListener::borrowed);
        actual.onNext(connection);
    }

    @Override
    public void onError(Throwable error) {
        report(target -> target.failed(error));
        actual.onError(error);
    }

    @Override
    public void onComplete() {
        actual.onComplete();
    }

    @Override
    public void request(long n) {
        Objects.requireNonNull(upstream).request(n);
    }

    /** Not reported if a connection or an error was reported before. */
    @Override
    public void cancel() {
        report(AcquisitionListener::cancelled);
        Objects.requireNonNull(upstream).cancel();
    }

    private void report(Consumer<AcquisitionListener> event) {
        if (reported.compareAndSet(false, true)) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                LOG.warn("The acquisition listener failed", e);
            }
        }
    }
}
