package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineCycleException;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.FakeDriver;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.Mono;

/** Two subscribers open two engines whose initializers subscribe to each other. */
@JCStressTest
@State
@Outcome(id = "told", expect = ACCEPTABLE, desc = "Both were told of the circle")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.CIRCLE_OPENED, expect = FORBIDDEN, desc = "An engine of the circle was handed out")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class InitializersInACircle {
    private static final String ONE = "r2dbc:postgresql://host/one";
    private static final String OTHER = "r2dbc:mariadb://host/other";

    private final ReactiveEngineCache cache = ReactiveEngineCache.builder()
            .connectionFactory(options -> new FakeDriver())
            .settings(EngineSettings.builder().connectOnOpen(false).build())
            .initializer(this::askForTheOther)
            .build();
    private final Answer[] answers = new Answer[2];

    private Mono<?> askForTheOther(Engine engine) {
        return engine.dialect().flatMap(own -> cache.pool(own.name().equals("PostgreSQL") ? OTHER : ONE));
    }

    @Actor
    public void one() {
        answers[0] = Answer.to(cache.pool(ONE));
    }

    @Actor
    public void other() {
        answers[1] = Answer.to(cache.pool(OTHER));
    }

    @Arbiter
    public void look(L_Result result) {
        result.r1 = outcome();
    }

    private String outcome() {
        for (Answer answer : answers) {
            if (!answer.came()) {
                return Fault.NO_ANSWER;
            }
            if (!tellsOfTheCircle(answer.error())) {
                return Fault.CIRCLE_OPENED;
            }
        }
        return cache.engines().isEmpty() ? "told" : Fault.LEFT_BEHIND;
    }

    private static boolean tellsOfTheCircle(@Nullable Throwable error) {
        return error instanceof EngineCycleException || (error != null && tellsOfTheCircle(error.getCause()));
    }
}
