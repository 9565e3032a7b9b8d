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

/** Hands a transaction to its subscriber when it has begun, or rolls it back when he has left: one of the two. */
final class BegunTransaction implements CoreSubscriber<ReactiveTransaction>, Subscription {

    private static final Logger LOG = Loggers.getLogger(EngineTransactionManager.class);

    private final ReactiveTransactionManager manager;
    private final CoreSubscriber<? super ReactiveTransaction> actual;
    private final AtomicBoolean over = new AtomicBoolean();

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
        if (over.compareAndSet(false, true)) {
            actual.onNext(transaction);
            actual.onComplete();
        } else {
            manager.rollback(transaction)
                    .contextWrite(actual.currentContext())
                    .subscribe(nothing -> {}, BegunTransaction::unseen);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (over.compareAndSet(false, true)) {
            actual.onError(e);
        } else {
            unseen(e);
        }
    }

    private static void unseen(Throwable e) {
        LOG.warn("A transaction whose subscriber had left did not end well: {}", Dialect.describe(e));
    }

    @Override
    public void onComplete() {
        if (over.compareAndSet(false, true)) {
            actual.onComplete();
        }
    }

    /** There is but one, and Spring asks for all. */
    @Override
    public void request(long n) {}

    /** It goes on to its end. */
    @Override
    public void cancel() {
        over.set(true);
    }
}
