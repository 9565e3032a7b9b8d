package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.work.UnexpectedRollbackException;
import dev.r2dbcengine.work.Work;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The unit of work around a test, which is always rolled back. Acquires a connection at the first statement. */
final class TestUnit implements EngineExtension.Closing {

    /* Short, since a row stream that a test leaves open will get no more demand. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final String test;
    private final Sinks.Empty<Void> testDone = Sinks.empty();
    private final Mono<Void> rollback;
    private final Engine engine;

    TestUnit(Engine around, String test) {
        this.test = test;
        Sinks.One<Work> begun = Sinks.one();
        this.rollback = around.unitOfWork()
                .name(test)
                .alwaysRollback()
                .graceTime(GRACE)
                .<Void>execute(work -> {
                    begun.tryEmitValue(work);
                    return testDone.asMono();
                })
                // Signalled when a joined unit has failed; the rollback is intended anyway.
                .onErrorComplete(UnexpectedRollbackException.class)
                .cache();
        rollback.subscribe(nothing -> {}, begun::tryEmitError);
        this.engine = Engine.on(Objects.requireNonNull(Await.value("The begin of " + test, begun.asMono())));
    }

    /* Returns an engine that is bound to the unit. */
    Engine engine() {
        return engine;
    }

    @Override
    public void close() {
        testDone.tryEmitEmpty();
        Await.value("The rollback of " + test, rollback);
    }
}
