package dev.r2dbcengine.migrate;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Whether the subscriber of a run has left. The run itself is never cancelled: a statement that was sent runs to its end,
 * and what follows it asks here whether to go on.
 */
final class Uncancelled {

    /** A subscriber who stays. */
    static final Uncancelled NEVER = new Uncancelled();

    private final AtomicBoolean left = new AtomicBoolean();

    private Uncancelled() {}

    static <T> Mono<T> run(Function<Uncancelled, Mono<T>> run) {
        return Mono.deferContextual(context -> {
            Uncancelled subscriber = new Uncancelled();
            return Mono.<T>create(sink -> {
                sink.onCancel(() -> subscriber.left.set(true));
                run.apply(subscriber)
                        .contextWrite(context)
                        .subscribe(sink::success, failure -> subscriber.tell(failure, sink::error), sink::success);
            });
        });
    }

    /** Nobody is there to be told that he has left. */
    private void tell(Throwable failure, Consumer<Throwable> to) {
        if (!left.get()) {
            to.accept(failure);
        }
    }

    /** Fails when the subscriber has left. */
    <T> Mono<T> orStop(Mono<T> next) {
        return Mono.defer(() ->
                left.get() ? Mono.error(new CancellationException("The subscriber of the migrations has left")) : next);
    }

    /** What has to follow, whatever comes of the body. It does not fail. */
    static <T> Mono<T> andThen(Mono<T> body, Mono<Void> end) {
        return body.materialize().flatMap(signal -> end.thenReturn(signal)).<T>dematerialize();
    }
}
