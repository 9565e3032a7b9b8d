package dev.r2dbcengine.work;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A call on a guarded connection. A cancellation does not reach the driver: the remaining signals are requested and
 * discarded.
 */
final class UncancellableCall<T> extends Flux<T> {

    private final InFlightCalls calls;
    private final Predicate<Object> admission;
    private final Supplier<? extends Throwable> refusal;
    private final Publisher<? extends T> call;
    private final Consumer<? super T> discard;

    UncancellableCall(
            InFlightCalls calls,
            Predicate<Object> admission,
            Supplier<? extends Throwable> refusal,
            Publisher<? extends T> call,
            Consumer<? super T> discard) {
        this.calls = calls;
        this.admission = admission;
        this.refusal = refusal;
        this.call = call;
        this.discard = discard;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Running subscriber = new Running(actual);
        if (admission.test(subscriber)) {
            call.subscribe(subscriber);
        } else {
            Operators.error(actual, refusal.get());
        }
    }

    private final class Running implements CoreSubscriber<T>, Subscription {

        private final CoreSubscriber<? super T> actual;
        private volatile boolean cancelled;
        private @Nullable Subscription upstream;

        Running(CoreSubscriber<? super T> actual) {
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
        public void onNext(T value) {
            if (cancelled) {
                discard.accept(value);
                Operators.onDiscard(value, currentContext());
            } else {
                actual.onNext(value);
            }
        }

        @Override
        public void onError(Throwable e) {
            boolean observed = !cancelled;
            calls.failed(e, observed);
            calls.ended(this);
            if (observed) {
                actual.onError(e);
            }
        }

        @Override
        public void onComplete() {
            calls.ended(this);
            if (!cancelled) {
                actual.onComplete();
            }
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
            cancelled = true;
            request(Long.MAX_VALUE);
        }
    }
}
