package dev.r2dbcengine.migrate.internal.run;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The subscriber of a run, which may have cancelled. The run itself is never cancelled in flight: a statement that was
 * sent completes, and the next step checks here whether to continue.
 */
public final class RunSubscriber {

    /** The subscriber of actions that complete in any case. */
    static final RunSubscriber STAYS = new RunSubscriber();

    private final AtomicBoolean left = new AtomicBoolean();

    private RunSubscriber() {}

    public static <T> Mono<T> run(Function<RunSubscriber, Mono<T>> run) {
        return Mono.deferContextual(context -> {
            RunSubscriber subscriber = new RunSubscriber();
            return Mono.<T>create(sink -> {
                sink.onCancel(() -> subscriber.left.set(true));
                run.apply(subscriber)
                        .contextWrite(context)
                        .subscribe(sink::success, failure -> subscriber.tell(failure, sink::error), sink::success);
            });
        });
    }

    /** Drops an error after a cancellation. */
    private void tell(Throwable failure, Consumer<Throwable> to) {
        if (!left.get()) {
            to.accept(failure);
        }
    }

    /** Fails if the subscriber has cancelled; otherwise continues. */
    <T> Mono<T> orStop(Mono<T> next) {
        return Mono.defer(() ->
                left.get() ? Mono.error(new CancellationException("The subscriber of the migrations has left")) : next);
    }

    /** Runs an action after every outcome of the body, including an error. The action must not fail. */
    static <T> Mono<T> andThen(Mono<T> body, Mono<Void> end) {
        return body.materialize().flatMap(signal -> end.thenReturn(signal)).<T>dematerialize();
    }
}
