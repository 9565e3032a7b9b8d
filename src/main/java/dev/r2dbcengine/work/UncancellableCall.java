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

/** A call on a connection that was handed out. It is not cancelled in flight: what is no longer wanted is read and dropped. */
final class UncancellableCall<T> extends Flux<T> {

    private final InFlightCalls running;
    private final Predicate<Object> admission;
    private final Supplier<? extends Throwable> refusal;
    private final Publisher<? extends T> call;
    private final Consumer<? super T> drop;

    UncancellableCall(
            InFlightCalls running,
            Predicate<Object> admission,
            Supplier<? extends Throwable> refusal,
            Publisher<? extends T> call,
            Consumer<? super T> drop) {
        this.running = running;
        this.admission = admission;
        this.refusal = refusal;
        this.call = call;
        this.drop = drop;
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
        private volatile boolean left;
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
            if (left) {
                drop.accept(value);
                Operators.onDiscard(value, currentContext());
            } else {
                actual.onNext(value);
            }
        }

        @Override
        public void onError(Throwable e) {
            boolean seen = !left;
            running.failed(e, seen);
            running.over(this);
            if (seen) {
                actual.onError(e);
            }
        }

        @Override
        public void onComplete() {
            running.over(this);
            if (!left) {
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
            left = true;
            request(Long.MAX_VALUE);
        }
    }
}
