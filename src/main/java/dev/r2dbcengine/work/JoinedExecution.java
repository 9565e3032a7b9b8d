package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** A body that has joined the scope of another unit. If it fails or is cancelled, the scope must not commit. */
final class JoinedExecution<T> implements CoreSubscriber<T>, Subscription {

    private final TransactionScope scope;
    private final WorkSettings settings;
    private final boolean single;
    private final Context context;
    private final CoreSubscriber<? super T> actual;
    private @Nullable Subscription body;
    private volatile boolean ended;

    JoinedExecution(TransactionScope scope, WorkSettings settings, boolean single, CoreSubscriber<? super T> actual) {
        this.scope = scope;
        this.settings = settings;
        this.single = single;
        this.context = TransactionScope.restore(actual.currentContext(), scope);
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        body = subscription;
        actual.onSubscribe(this);
    }

    @Override
    public void onNext(T next) {
        // The only value has arrived, so a cancellation loses nothing.
        ended |= single;
        actual.onNext(next);
    }

    @Override
    public void onError(Throwable e) {
        ended = true;
        if (settings.rollsBack(e)) {
            scope.demandRollback(false, e);
        }
        actual.onError(e);
    }

    @Override
    public void onComplete() {
        ended = true;
        if (settings.alwaysRollback) {
            scope.demandRollback(false, null);
        }
        actual.onComplete();
    }

    @Override
    public void request(long n) {
        Subscription running = body;
        if (running != null) {
            running.request(n);
        }
    }

    @Override
    public void cancel() {
        Subscription running = body;
        if (running != null && !ended) {
            scope.demandRollback(false, null);
            running.cancel();
        }
    }
}
