package dev.r2dbcengine;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How the code of an application behaves when the library calls it. */
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

    @SuppressWarnings("ImmutableEnumChecker") // thrown, and not changed
    private final Throwable thrown;

    Conduct() {
        this(new IllegalStateException("conduct"));
    }

    Conduct(Throwable thrown) {
        this.thrown = thrown;
    }

    /** What it fails with, if it fails. */
    public Throwable thrown() {
        return thrown;
    }

    /** Fails at once when it is called. */
    public boolean throwsAtOnce() {
        return compareTo(THROWS) >= 0 && compareTo(LACKS_MEMORY) <= 0;
    }

    /** A publisher of it fails. */
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

    @SuppressWarnings("NullAway") // that is the point
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

    @SuppressWarnings("NullAway") // that is the point
    public <T> Mono<T> mono(Publisher<T> good) {
        Publisher<T> publisher = publisher(good);
        return publisher == null ? null : Mono.fromDirect(subscriber -> publisher.subscribe(subscriber));
    }

    @SuppressWarnings("unchecked") // unchecked is what it becomes
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    /** Signals to the subscriber, and more than that after the end. */
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
            actual.onError(new IllegalStateException("after the end"));
        }
    }
}
