package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** A body that has joined a level. The level is another's to end; but it must not commit half of what this body was to do. */
final class JoinedExecution<T> implements CoreSubscriber<T>, Subscription {

    private final TransactionScope level;
    private final WorkSettings settings;
    private final boolean single;
    private final Context context;
    private final CoreSubscriber<? super T> actual;
    private @Nullable Subscription body;
    private volatile boolean ended;

    JoinedExecution(TransactionScope level, WorkSettings settings, boolean single, CoreSubscriber<? super T> actual) {
        this.level = level;
        this.settings = settings;
        this.single = single;
        this.context = ContextScopes.within(actual.currentContext(), level);
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
        // Who leaves after the only value leaves nothing undone.
        ended |= single;
        actual.onNext(next);
    }

    @Override
    public void onError(Throwable e) {
        ended = true;
        if (settings.rollsBack(e)) {
            level.demandRollback(false, e);
        }
        actual.onError(e);
    }

    @Override
    public void onComplete() {
        ended = true;
        if (settings.alwaysRollback) {
            level.demandRollback(false, null);
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
            level.demandRollback(false, null);
            running.cancel();
        }
    }
}
