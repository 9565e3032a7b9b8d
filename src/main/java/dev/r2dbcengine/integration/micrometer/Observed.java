package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.dialect.Dialect;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What is observed under one name. A Context that holds such an observation has it under this very object. */
final class Observed {

    private static final String OUTCOME = "outcome";

    private final ObservationRegistry registry;
    private final String name;

    Observed(ObservationRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
    }

    /* Not started; it belongs to what the Context tells of, else to what is open on this thread. */
    Observation within(ContextView around) {
        Observation made = Observation.createNotStarted(name, registry);
        Object parent = around.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
        return parent instanceof Observation told ? made.parentObservation(told) : made;
    }

    /* One that is switched off as well: else a later event would find that of somebody else further out. */
    Context put(ContextView context, Observation started) {
        return Context.of(context).put(this, started);
    }

    /* For what happens within. One that is switched off leaves the place to the one around it. */
    static Context asParent(Context context, Observation started) {
        return started.isNoop() ? context : context.put(ObservationThreadLocalAccessor.KEY, started);
    }

    Observation of(ContextView context) {
        Observation there = context.getOrDefault(this, null);
        return there == null ? Observation.NOOP : there;
    }

    static void outcome(Observation observation, String outcome) {
        observation.lowCardinalityKeyValue(OUTCOME, outcome);
    }

    static void outcomeUnlessTold(Observation observation, String outcome) {
        if (observation.getContextView().getLowCardinalityKeyValue(OUTCOME) == null) {
            outcome(observation, outcome);
        }
    }

    static void stop(Observation observation, String outcome, @Nullable Throwable failure) {
        outcome(observation, outcome);
        stop(observation, failure);
    }

    static void stop(Observation observation, @Nullable Throwable failure) {
        observation.lowCardinalityKeyValue("error.type", failure == null ? KeyValue.NONE_VALUE : typeOf(failure));
        if (failure != null) {
            observation.error(new Failure(failure));
        }
        observation.stop();
    }

    private static String typeOf(Throwable failure) {
        String simple = failure.getClass().getSimpleName();
        return simple.isEmpty() ? failure.getClass().getName() : simple;
    }

    /** Stands for what failed, whose message a tracer would send away with all the values in it. */
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(Throwable failure) {
            super(Dialect.describe(failure), null, false, false);
        }
    }
}
