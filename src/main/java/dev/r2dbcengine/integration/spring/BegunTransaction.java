package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.dialect.Dialect;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscription;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import reactor.core.CoreSubscriber;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/** Emits a transaction once it has begun, or rolls it back if the subscriber has cancelled: exactly one of the two. */
final class BegunTransaction implements CoreSubscriber<ReactiveTransaction>, Subscription {

    private static final Logger LOG = Loggers.getLogger(EngineTransactionManager.class);

    private final ReactiveTransactionManager manager;
    private final CoreSubscriber<? super ReactiveTransaction> actual;
    private final AtomicBoolean terminated = new AtomicBoolean();

    BegunTransaction(ReactiveTransactionManager manager, CoreSubscriber<? super ReactiveTransaction> actual) {
        this.manager = manager;
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        actual.onSubscribe(this);
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ReactiveTransaction transaction) {
        if (terminated.compareAndSet(false, true)) {
            actual.onNext(transaction);
            actual.onComplete();
        } else {
            manager.rollback(transaction)
                    .contextWrite(actual.currentContext())
                    .subscribe(nothing -> {}, BegunTransaction::logDropped);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (terminated.compareAndSet(false, true)) {
            actual.onError(e);
        } else {
            logDropped(e);
        }
    }

    private static void logDropped(Throwable e) {
        LOG.warn("The begin or rollback of a cancelled transaction failed: {}", Dialect.describe(e));
    }

    @Override
    public void onComplete() {
        if (terminated.compareAndSet(false, true)) {
            actual.onComplete();
        }
    }

    /** Does nothing: the source is a Mono and its value was already requested. */
    @Override
    public void request(long n) {}

    /** Does not cancel the begin, which runs to its end; its transaction is then rolled back. */
    @Override
    public void cancel() {
        terminated.set(true);
    }
}
