package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * One run of the body of a unit, and the turn in which its level ends. The body comes to an end by itself, by its timeout,
 * or because the subscriber leaves: who is first decides. The rest of the completion is the level's.
 */
final class UnitExecution<T> extends SingleValueOperation<T> implements TimedCall.Caller {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<UnitExecution> PHASE =
            AtomicIntegerFieldUpdater.newUpdater(UnitExecution.class, "phase");

    /* The body runs; it has come to its end; the end of the level has begun. */
    private static final int BODY = 0;
    private static final int ENDED = 1;
    private static final int ENDING = 2;

    private final TransactionScope level;
    private final WorkSettings settings;
    private final boolean single;
    private final Context context;

    private volatile int phase = BODY;
    private volatile boolean abandoned;
    private volatile @Nullable Subscription body;
    private volatile @Nullable Disposable timer;
    private volatile boolean forced;

    /* Of a body that may be committed nevertheless: known, and not told yet, while the actions before the commit run. */
    private volatile @Nullable Throwable ofBody;

    private UnitExecution(
            TransactionScope level, WorkSettings settings, boolean single, CoreSubscriber<? super T> actual) {
        super(single || settings.timeout.isZero() ? actual : Operators.serialize(actual));
        this.level = level;
        this.settings = settings;
        this.single = single;
        this.context = ContextScopes.put(level.runBegins(this), level);
    }

    /* Single: one value, after the end. Otherwise values as they come, before it. */
    static <T> void start(
            TransactionScope level,
            WorkSettings settings,
            boolean single,
            Function<? super Work, ? extends Publisher<? extends T>> body,
            CoreSubscriber<? super T> actual) {
        UnitExecution<T> run = new UnitExecution<>(level, settings, single, actual);
        try {
            DefaultWork.run(body, new DefaultWork(level, false)).subscribe(run);
        } catch (Throwable e) {
            if (run.body == null) {
                Operators.error(run, e);
            } else {
                run.onError(e);
            }
        }
    }

    @Override
    public Transaction transaction() {
        return level.transaction();
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        body = subscription;
        actual.onSubscribe(this);
        if (!settings.timeout.isZero()) {
            limit();
        }
        if (single) {
            subscription.request(Long.MAX_VALUE);
        }
    }

    private void limit() {
        Disposable waiting =
                after(settings.timeout, () -> stop(WorkTimeoutException.ofBody(settings.name, settings.timeout)));
        timer = waiting;
        if (phase != BODY) {
            waiting.dispose();
        }
    }

    @Override
    public void request(long n) {
        Subscription running = body;
        if (single) {
            super.request(n);
        } else if (running != null) {
            running.request(n);
        }
    }

    @Override
    public void onNext(T next) {
        if (phase != BODY) {
            Operators.onDiscard(next, context);
        } else if (single) {
            value(next);
        } else {
            emit(next);
        }
    }

    private void emit(T next) {
        Throwable thrown = UserCode.next(actual, next);
        if (thrown != null) {
            cancel();
            UserCode.error(actual, thrown);
            thrown(thrown);
        }
    }

    /* By its subscriber, who may be in the body of a unit around. */
    @Override
    void thrown(Throwable e) {
        TransactionScope outer = level.outer();
        if (outer != null) {
            outer.bodyThrew(e);
        }
    }

    /* Nothing else may ever end the body: an operator that threw emits no more. */
    void bodyThrew(Throwable e) {
        stop(e);
    }

    @Override
    public void onError(Throwable emitted) {
        Throwable e = UserCode.emittable(emitted);
        if (settings.rollsBack(e)) {
            level.demandRollback(true, null);
        }
        endBody(e);
    }

    @Override
    public void onComplete() {
        endBody(null);
    }

    private void endBody(@Nullable Throwable e) {
        Mono<Void> first = phase == BODY && level.demanded() == null ? level.takeBeforeCommit() : null;
        if (first != null) {
            ofBody = e;
            first.subscribe(new BeforeCommit());
        } else if (PHASE.compareAndSet(this, BODY, ENDED)) {
            finish(e);
        } else if (e != null) {
            Operators.onErrorDropped(e, context);
        }
    }

    /* No failure of the body's own, which might be committed. */
    private void rollsBackFor(Throwable e) {
        Transaction.suppress(e, ofBody);
        level.demandRollback(true, null);
    }

    @Override
    public void cancel() {
        super.cancel();
        if (!stop(null)) {
            level.subscriberLeft();
        }
    }

    private boolean stop(@Nullable Throwable e) {
        boolean first = PHASE.compareAndSet(this, BODY, ENDED);
        if (first) {
            Subscription running = body;
            if (running != null) {
                running.cancel();
            }
            if (e != null) {
                rollsBackFor(e);
            }
            finish(e == null ? ofBody : e);
        }
        return first;
    }

    private void finish(@Nullable Throwable e) {
        dispose(timer);
        failure(e);
        level.decide(commits(e));
        if (isLeft()) {
            level.subscriberLeft();
        }
        close();
        level.enter(this);
        if (phase != ENDING) {
            afterGrace(() -> level.endStatement(this));
        }
    }

    private boolean commits(@Nullable Throwable e) {
        TransactionScope.Rollback demanded = level.demanded();
        if (e == null && demanded != null && !demanded.asked()) {
            failure(new UnexpectedRollbackException(settings.name, demanded.cause()));
        }
        return demanded == null && !settings.alwaysRollback;
    }

    @Override
    void start() {
        level.whenIdle(() -> level.end(this));
    }

    @Override
    boolean take() {
        return !abandoned;
    }

    /* True for the first to end the level. */
    boolean claimEnd() {
        boolean first = PHASE.compareAndSet(this, ENDED, ENDING);
        dispose(timer);
        return first;
    }

    boolean isEnding() {
        return phase == ENDING;
    }

    /* A statement that the body has left is ended, or never sent. */
    void force() {
        forced = true;
    }

    /* The last word. What its body has left may have gone wrong since that came to a good end. */
    boolean seal() {
        if (!level.seal()) {
            return false;
        }
        boolean isForced = forced;
        TransactionScope.Rollback demanded = level.demanded();
        if (isForced) {
            commitFailed(WorkTimeoutException.ofStatement(settings.name, settings.graceTime));
        } else if (demanded != null && !demanded.asked()) {
            commitFailed(new UnexpectedRollbackException(settings.name, demanded.cause()));
        }
        return !isForced && demanded == null;
    }

    /* Ends the level though another turn has not ended. */
    void abandon() {
        if (claimEnd()) {
            abandoned = true;
            seal();
            runAlone();
            level.abandon(this);
        }
    }

    /* Unless the end of the level has begun by then. */
    void afterGrace(Runnable task) {
        if (phase != ENDING) {
            timer = after(settings.graceTime, () -> {
                if (phase != ENDING) {
                    task.run();
                }
            });
            if (phase == ENDING) {
                dispose(timer);
            }
        }
    }

    private static void dispose(@Nullable Disposable waiting) {
        if (waiting != null) {
            waiting.dispose();
        }
    }

    private static Disposable after(Duration time, Runnable task) {
        return Schedulers.parallel().schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /* What the body ended with, if it did so badly, came first but is told second. */
    void commitFailed(Throwable e) {
        Transaction.suppress(e, failure());
        failure(e);
    }

    void alsoFailed(String call, @Nullable Throwable e) {
        Throwable first = failure();
        if (first == null || isLeft()) {
            transaction().unseen(call, e);
        } else {
            Transaction.suppress(first, e);
        }
    }

    @Override
    void refused() {
        failure(level.ended());
        deliver();
    }

    @Override
    void unseen(@Nullable Throwable e) {
        transaction().unseenByWhoLeft("unit", e);
    }

    /** Waits for the actions that come before the commit; then the body ends once more. */
    private final class BeforeCommit implements CoreSubscriber<Void> {

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            body = subscription;
            if (phase != BODY) {
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(Void nothing) {}

        @Override
        public void onError(Throwable e) {
            rollsBackFor(e);
            endBody(UserCode.emittable(e));
        }

        @Override
        public void onComplete() {
            endBody(ofBody);
        }
    }
}
