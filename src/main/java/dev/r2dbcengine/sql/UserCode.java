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
 * Calls the functions, publishers and subscribers of an application so that the subscriber always gets a terminal
 * signal. Reactor throws an error that it regards as fatal through every operator, and through the driver, instead of
 * emitting it.
 */
public final class UserCode {

    private UserCode() {}

    /**
     * Returns an error in a form that operators emit.
     *
     * @param e the error that was thrown or emitted
     * @return the error itself, or a {@link FatalErrorException} with it as the cause if Reactor would throw it
     */
    public static Throwable emittable(Throwable e) {
        return Exceptions.isFatal(e) ? new FatalErrorException(e) : e;
    }

    /**
     * Calls a function that must not return null.
     *
     * @param what names the function in the error for null
     * @param function the call
     * @param <T> the type of the result
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
     * @param <T> the type of the result
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
     * Defers to a publisher that a function creates at each subscription. An exception of the function or of {@code
     * subscribe}, and a null publisher, are emitted as the error. Signals after termination are dropped.
     *
     * @param what names the function in the error for null
     * @param function creates the publisher
     * @param <T> the type of the values
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
     * @return the exception of the subscriber, to be emitted after the upstream was cancelled; null if it threw none
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
     * @return its exception, which was also emitted to it as an error; null if it threw none
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
     * Emits an error. An exception that the subscriber throws is dropped.
     *
     * @param actual the subscriber
     * @param e the error
     * @return the emitted error
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

    /** Drops signals that the Reactive Streams specification forbids. */
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
