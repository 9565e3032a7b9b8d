package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.dialect.Dialect;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The observations of one name. In a Context, the key of such an observation is this object. */
final class Observed {

    private static final String OUTCOME = "outcome";

    private final ObservationRegistry registry;
    private final String name;

    Observed(ObservationRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
    }

    /* Creates an observation without starting it. Its parent is that of the Context, else that of this thread. */
    Observation within(ContextView context) {
        Observation created = Observation.createNotStarted(name, registry);
        Object parent = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
        return parent instanceof Observation observation ? created.parentObservation(observation) : created;
    }

    /* Also stores a disabled observation; otherwise a later event would find an outer one. */
    Context put(ContextView context, Observation started) {
        return Context.of(context).put(this, started);
    }

    /* Makes the observation the parent of nested ones, unless it is disabled. */
    static Context asParent(Context context, Observation started) {
        return started.isNoop() ? context : context.put(ObservationThreadLocalAccessor.KEY, started);
    }

    Observation of(ContextView context) {
        Observation found = context.getOrDefault(this, null);
        return found == null ? Observation.NOOP : found;
    }

    static void outcome(Observation observation, String outcome) {
        observation.lowCardinalityKeyValue(OUTCOME, outcome);
    }

    static void outcomeIfAbsent(Observation observation, String outcome) {
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

    /** Replaces a failure, whose message may contain values that a tracer would send. */
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(Throwable failure) {
            super(Dialect.describe(failure), null, false, false);
        }
    }
}
