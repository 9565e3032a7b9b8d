package dev.r2dbcengine.sql;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Calls the code of an application: its functions, its publishers and its subscribers. Whatever they do, an answer is
 * emitted: Reactor itself lets an error that it regards as fatal pass through every operator, and with it through a driver,
 * and then no subscriber gets a signal.
 */
public final class UserCode {

    private UserCode() {}

    /**
     * Makes an error one that operators emit.
     *
     * @param e what was thrown or emitted
     * @return the same, or a {@link FatalErrorException} in its place when Reactor would throw it
     */
    public static Throwable emittable(Throwable e) {
        return Exceptions.isFatal(e) ? new FatalErrorException(e) : e;
    }

    /**
     * Calls a function that has to return something.
     *
     * @param what names the function in the error for null
     * @param function the call
     * @param <T> what it returns
     * @return the result, not null
     * @throws NullPointerException when it is null
     * @throws FatalErrorException in place of an error that Reactor would not emit
     */
    public static <T> T call(String what, Supplier<? extends @Nullable T> function) {
        return Objects.requireNonNull(callForNullable(function), () -> what + " returned null");
    }

    /**
     * Calls a function that may return null.
     *
     * @param function the call
     * @param <T> what it returns
     * @return the result
     * @throws FatalErrorException in place of an error that Reactor would not emit
     */
    public static <T> @Nullable T callForNullable(Supplier<? extends @Nullable T> function) {
        try {
            return function.get();
        } catch (Error e) {
            if (emittable(e) instanceof FatalErrorException emitted) {
                throw emitted;
            }
            throw e;
        }
    }

    /**
     * Subscribes to a publisher that a function makes at each subscription. A function that throws or returns null, and a
     * publisher that throws at its subscription, become the error; what the publisher signals after its end is dropped.
     *
     * @param what names the function in the error for null
     * @param function makes the publisher
     * @param <T> what it emits
     * @return the signals of the publisher
     */
    public static <T> Flux<T> publisher(String what, Supplier<? extends @Nullable Publisher<? extends T>> function) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                Guard<T> guard = new Guard<>(actual);
                try {
                    Publisher<? extends T> made = function.get();
                    Objects.requireNonNull(made, () -> what + " returned null").subscribe(guard);
                } catch (Throwable e) {
                    guard.thrown(e);
                }
            }
        };
    }

    /**
     * Emits a value.
     *
     * @param actual the subscriber
     * @param value the value
     * @param <T> its type
     * @return what the subscriber threw, to be emitted as an error after the upstream was cancelled; else null
     */
    public static <T> @Nullable Throwable next(CoreSubscriber<? super T> actual, T value) {
        try {
            actual.onNext(value);
            return null;
        } catch (Throwable e) {
            return emittable(e);
        }
    }

    /**
     * Completes a subscriber.
     *
     * @param actual the subscriber
     * @return what it threw, which was emitted to it as an error as well; else null
     */
    public static @Nullable Throwable complete(CoreSubscriber<?> actual) {
        try {
            actual.onComplete();
            return null;
        } catch (Throwable e) {
            return error(actual, e);
        }
    }

    /**
     * Emits an error. What the subscriber throws in return is dropped.
     *
     * @param actual the subscriber
     * @param e the error
     * @return the error, as it was emitted
     */
    public static Throwable error(CoreSubscriber<?> actual, Throwable e) {
        Throwable emitted = emittable(e);
        try {
            actual.onError(emitted);
        } catch (Throwable thrown) {
            Operators.onErrorDropped(emittable(thrown), actual.currentContext());
        }
        return emitted;
    }

    /** Lets through what the Reactive Streams specification allows. */
    private static final class Guard<T> implements CoreSubscriber<T>, Subscription {

        private final CoreSubscriber<? super T> actual;
        private @Nullable Subscription upstream;
        private volatile boolean over;

        Guard(CoreSubscriber<? super T> actual) {
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        void thrown(Throwable e) {
            if (upstream == null) {
                upstream = Operators.cancelledSubscription();
                actual.onSubscribe(this);
            }
            onError(e);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            if (Operators.validate(upstream, subscription)) {
                upstream = subscription;
                actual.onSubscribe(this);
            }
        }

        @Override
        public void onNext(T value) {
            if (over) {
                Operators.onNextDropped(value, currentContext());
            } else {
                actual.onNext(value);
            }
        }

        @Override
        public void onError(Throwable e) {
            if (over) {
                Operators.onErrorDropped(e, currentContext());
            } else {
                over = true;
                actual.onError(emittable(e));
            }
        }

        @Override
        public void onComplete() {
            if (!over) {
                over = true;
                actual.onComplete();
            }
        }

        @Override
        public void request(long n) {
            Subscription asked = upstream;
            if (asked != null) {
                asked.request(n);
            }
        }

        @Override
        public void cancel() {
            Subscription asked = upstream;
            if (asked != null) {
                asked.cancel();
            }
        }
    }
}
