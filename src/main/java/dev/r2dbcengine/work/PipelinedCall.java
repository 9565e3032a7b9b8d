package dev.r2dbcengine.work;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * A call that shares its round trip with the statement behind it: BEGIN or SAVEPOINT. The statement is sent before the call
 * is answered, and its outcome is held until then. So the operation queue sees one operation that ends when both have ended.
 *
 * <pre>
 * first      moved by                                    next
 * null       the answer to the call                      ANSWERED, FAILED
 *            the end of the statement                    its outcome
 * outcome    the answer: passes the outcome, or fails    ANSWERED, FAILED
 * ANSWERED   -: the end of the statement passes          -
 * FAILED     -: the end of the statement fails the call  -
 * </pre>
 */
final class PipelinedCall implements CoreSubscriber<Object> {

    private static final AtomicReferenceFieldUpdater<PipelinedCall, @Nullable Object> FIRST =
            AtomicReferenceFieldUpdater.newUpdater(PipelinedCall.class, Object.class, "first");

    private static final Object ANSWERED = "answered";
    private static final Object FAILED = "failed";
    private static final Object COMPLETED = "completed";

    private final Caller caller;
    private final TransactionScope.Waiter statement;
    private volatile @Nullable Object first;
    private @Nullable Throwable failure;

    /** Makes the call. */
    interface Caller {

        Context callContext();

        /* Called before the outcome of the statement passes. */
        void answered();

        /* Called when the statement has ended as well, instead of passing its outcome. */
        void failed(Throwable e);
    }

    private PipelinedCall(Caller caller, TransactionScope.Waiter statement) {
        this.caller = caller;
        this.statement = statement;
    }

    static PipelinedCall before(TransactionScope.Waiter statement, Caller caller) {
        return new PipelinedCall(caller, statement);
    }

    /* Sends the call, then the statement, unless the call fails at once. To be called when holds() can be reached. */
    void send(Publisher<?> call, Runnable run) {
        try {
            call.subscribe(this);
        } catch (Throwable e) {
            onError(e);
        }
        if (first == FAILED) {
            caller.failed(failure());
        } else {
            run.run();
        }
    }

    /* True if the end of the statement is handled here. */
    boolean holds(TransactionScope.Waiter ended, @Nullable Throwable e) {
        if (ended != statement || first == ANSWERED) {
            return false;
        }
        if (!FIRST.compareAndSet(this, null, e == null ? COMPLETED : e)) {
            if (first == ANSWERED) {
                return false;
            }
            caller.failed(failure());
        }
        return true;
    }

    private Throwable failure() {
        return Objects.requireNonNull(failure);
    }

    @Override
    public Context currentContext() {
        return caller.callContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object ignored) {}

    @Override
    public void onError(Throwable e) {
        failure = e;
        if (FIRST.getAndSet(this, FAILED) != null) {
            caller.failed(e);
        }
    }

    @Override
    public void onComplete() {
        caller.answered();
        Object outcome = FIRST.getAndSet(this, ANSWERED);
        if (outcome != null) {
            statement.ended(outcome == COMPLETED ? null : (Throwable) outcome);
        }
    }
}
