package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** One execution of a unit: the subscriber of its body, and the subscription of the unit's own subscriber. */
final class UnitExecution<T> extends UnitEnd<T> {

    private final boolean single;
    private final Context context;
    private volatile @Nullable Subscription body;

    /* The failure of a body that may be committed nevertheless, kept while the actions before the commit run. */
    private volatile @Nullable Throwable bodyFailure;

    UnitExecution(TransactionScope scope, WorkSettings settings, boolean single, CoreSubscriber<? super T> actual) {
        super(scope, settings, single || settings.timeout.isZero() ? actual : Operators.serialize(actual));
        this.single = single;
        this.context = scope.begin(this);
    }

    /*
     * Runs a body with its Work. A single value is emitted after the end of the unit; other values pass when the body emits
     * them, before it.
     */
    static <T> void start(
            TransactionScope scope,
            WorkSettings settings,
            boolean single,
            Function<? super Work, ? extends Publisher<? extends T>> body,
            Work work,
            CoreSubscriber<? super T> actual) {
        UnitExecution<T> unit = new UnitExecution<>(scope, settings, single, actual);
        try {
            callBody(body, work).subscribe(unit);
        } catch (Throwable e) {
            if (unit.body == null) {
                Operators.error(unit, e);
            } else {
                unit.onError(e);
            }
        }
    }

    static <T> Publisher<? extends T> callBody(
            Function<? super Work, ? extends Publisher<? extends T>> body, Work work) {
        return Objects.requireNonNull(body.apply(work), "the body of a unit returned null");
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
            limitBody(() -> stop(WorkTimeoutException.ofBody(settings.name, settings.timeout)));
        }
        if (single) {
            subscription.request(Long.MAX_VALUE);
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
        if (isEnding()) {
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
            subscriberThrew(thrown);
        }
    }

    /* The subscriber may be part of the body of an outer unit. */
    @Override
    void subscriberThrew(Throwable e) {
        TransactionScope outer = scope.outer();
        if (outer != null) {
            outer.bodyThrew(e);
        }
    }

    @Override
    void bodyThrew(Throwable e) {
        stop(e);
    }

    @Override
    public void onError(Throwable emitted) {
        Throwable e = UserCode.emittable(emitted);
        if (settings.rollsBack(e)) {
            demandRollback(true, null);
        }
        bodyCompleted(e);
    }

    @Override
    public void onComplete() {
        bodyCompleted(null);
    }

    private void bodyCompleted(@Nullable Throwable e) {
        Mono<Void> first = !isEnding() && !isRollbackDemanded() ? scope.takeBeforeCommit() : null;
        if (first != null) {
            bodyFailure = e;
            first.subscribe(new BeforeCommit());
        } else if (endBody()) {
            decide(e);
        } else if (e != null) {
            Operators.onErrorDropped(e, context);
        }
    }

    @Override
    public void cancel() {
        super.cancel();
        if (!stop(null)) {
            rollBackInstead();
        }
    }

    private boolean stop(@Nullable Throwable e) {
        boolean first = endBody();
        if (first) {
            Subscription running = body;
            if (running != null) {
                running.cancel();
            }
            if (e != null) {
                rollBackFor(e);
            }
            decide(e == null ? bodyFailure : e);
        }
        return first;
    }

    /* For a failure outside of the body, to which rollbackOn does not apply. */
    private void rollBackFor(Throwable e) {
        Transaction.suppress(e, bodyFailure);
        demandRollback(true, null);
    }

    /** Waits for the actions before the commit; then the body completes again. */
    private final class BeforeCommit implements CoreSubscriber<Void> {

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            body = subscription;
            if (isEnding()) {
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(Void nothing) {}

        @Override
        public void onError(Throwable e) {
            rollBackFor(e);
            bodyCompleted(UserCode.emittable(e));
        }

        @Override
        public void onComplete() {
            bodyCompleted(bodyFailure);
        }
    }
}
