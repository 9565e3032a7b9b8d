package dev.r2dbcengine;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The behavior of application code that the library calls. */
public enum Conduct {
    BEHAVES,
    RETURNS_NULL,
    THROWS,
    LACKS_A_CLASS(new NoClassDefFoundError("conduct")),
    FAILS_TO_INITIALIZE(new ExceptionInInitializerError("conduct")),
    OVERFLOWS_THE_STACK(new StackOverflowError("conduct")),
    LACKS_MEMORY(new OutOfMemoryError("conduct")),
    THROWS_AT_SUBSCRIPTION(new NoClassDefFoundError("conduct")),
    EMITS_A_FATAL_ERROR(new NoClassDefFoundError("conduct")),
    COMPLETES_EMPTY,
    NEVER_COMPLETES,
    COMPLETES_TWICE,
    EMITS_TOO_MUCH;

    @SuppressWarnings("ImmutableEnumChecker") // the exception is not modified
    private final Throwable thrown;

    Conduct() {
        this(new IllegalStateException("conduct"));
    }

    Conduct(Throwable thrown) {
        this.thrown = thrown;
    }

    /** Returns the exception of a behavior that fails. */
    public Throwable thrown() {
        return thrown;
    }

    /** Returns whether the call itself throws. */
    public boolean throwsAtOnce() {
        return compareTo(THROWS) >= 0 && compareTo(LACKS_MEMORY) <= 0;
    }

    /** Returns whether its publisher fails. */
    public boolean fails() {
        return compareTo(THROWS) >= 0 && compareTo(EMITS_A_FATAL_ERROR) <= 0;
    }

    public void run() {
        if (throwsAtOnce()) {
            Conduct.<RuntimeException>sneak(thrown);
        }
    }

    public <T> @Nullable T value(T good) {
        run();
        return this == RETURNS_NULL ? null : good;
    }

    @SuppressWarnings("NullAway") // returning null is the behavior under test
    public <T> Publisher<T> publisher(Publisher<T> good) {
        run();
        return switch (this) {
            case RETURNS_NULL -> null;
            case THROWS_AT_SUBSCRIPTION -> subscriber -> Conduct.<RuntimeException>sneak(thrown);
            case EMITS_A_FATAL_ERROR -> Flux.error(thrown);
            case COMPLETES_EMPTY -> Flux.empty();
            case NEVER_COMPLETES -> Flux.never();
            case COMPLETES_TWICE -> subscriber -> Flux.from(good).subscribe(new Twice<>(subscriber));
            case EMITS_TOO_MUCH -> Flux.from(good).repeat(2);
            default -> good;
        };
    }

    @SuppressWarnings("NullAway") // returning null is the behavior under test
    public <T> Mono<T> mono(Publisher<T> good) {
        Publisher<T> publisher = publisher(good);
        return publisher == null ? null : Mono.fromDirect(subscriber -> publisher.subscribe(subscriber));
    }

    @SuppressWarnings("unchecked") // throws a checked exception as an unchecked one
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    /** Signals completion twice and an error after it. */
    private record Twice<T>(Subscriber<? super T> actual) implements Subscriber<T> {

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(T value) {
            actual.onNext(value);
        }

        @Override
        public void onError(Throwable e) {
            actual.onError(e);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
            actual.onComplete();
            actual.onError(new IllegalStateException("after completion"));
        }
    }
}
