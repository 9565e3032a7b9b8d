package dev.r2dbcengine.migrate.internal.run;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Who has subscribed to a run, and may have left. The run itself is never cancelled: a statement that was sent runs to
 * its end, and what follows it asks here whether to go on.
 */
public final class RunSubscriber {

    /** Of what runs to its end anyway. */
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
