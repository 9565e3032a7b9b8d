package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineCycleException;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.FakeDriver;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.Mono;

/** Two subscribers open two engines whose initializers subscribe to each other. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "rejected", expect = ACCEPTABLE, desc = "Both subscribers received the cycle error")
public class CyclicInitializers {
    private static final String ONE = "r2dbc:postgresql://host/one";
    private static final String OTHER = "r2dbc:mariadb://host/other";

    private final ReactiveEngineCache cache = ReactiveEngineCache.builder()
            .connectionFactory(options -> new FakeDriver())
            .settings(EngineSettings.builder().connectOnOpen(false).build())
            .initializer(this::subscribeToOther)
            .build();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    private Mono<?> subscribeToOther(Engine engine) {
        return engine.dialect().flatMap(own -> cache.pool(own.name().equals("PostgreSQL") ? OTHER : ONE));
    }

    @Actor
    public void one() {
        subscribers[0] = RecordingSubscriber.of(cache.pool(ONE));
    }

    @Actor
    public void other() {
        subscribers[1] = RecordingSubscriber.of(cache.pool(OTHER));
    }

    @Arbiter
    public void observe(L_Result result) {
        result.r1 = outcome();
    }

    private String outcome() {
        for (RecordingSubscriber subscriber : subscribers) {
            if (!subscriber.awaitTermination()) {
                return Fault.NO_SIGNAL;
            }
            if (!isCycle(subscriber.error())) {
                return Fault.CYCLE_OPENED;
            }
        }
        return cache.engines().isEmpty() ? "rejected" : Fault.LEAKED_ENGINE;
    }

    private static boolean isCycle(@Nullable Throwable error) {
        return error instanceof EngineCycleException || (error != null && isCycle(error.getCause()));
    }
}
