package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.work.UnexpectedRollbackException;
import dev.r2dbcengine.work.Work;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The unit of work that is open for as long as a test runs, and in which it runs. Without a statement it takes no connection. */
final class TestUnit implements EngineExtension.Closing {

    /* For a stream that a test has left open: nobody will ask for the rest of it. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final String test;
    private final Sinks.Empty<Void> over = Sinks.empty();
    private final Mono<Void> ended;
    private final Engine engine;

    TestUnit(Engine around, String test) {
        this.test = test;
        Sinks.One<Work> begun = Sinks.one();
        this.ended = around.unitOfWork()
                .name(test)
                .alwaysRollback()
                .graceTime(GRACE)
                .<Void>execute(work -> {
                    begun.tryEmitValue(work);
                    return over.asMono();
                })
                // It was to be rolled back anyway.
                .onErrorComplete(UnexpectedRollbackException.class)
                .cache();
        ended.subscribe(nothing -> {}, begun::tryEmitError);
        this.engine = Engine.on(Objects.requireNonNull(Await.value("The begin of " + test, begun.asMono())));
    }

    /* Bound to the unit. */
    Engine engine() {
        return engine;
    }

    @Override
    public void close() {
        over.tryEmitEmpty();
        Await.value("The rollback of " + test, ended);
    }
}
