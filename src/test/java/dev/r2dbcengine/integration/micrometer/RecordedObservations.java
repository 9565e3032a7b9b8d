package dev.r2dbcengine.integration.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Records all observations of a registry that rejects observations which are stopped twice or never started. */
final class RecordedObservations implements ObservationHandler<Observation.Context> {
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final List<Observation.Context> started = new CopyOnWriteArrayList<>();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
    private final Map<String, Runnable> whenStarted = new ConcurrentHashMap<>();

    RecordedObservations() {
        registry.observationConfig().observationHandler(this);
    }

    TestObservationRegistry registry() {
        return registry;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onStart(Observation.Context context) {
        started.add(context);
        whenStarted.getOrDefault(context.getName(), () -> {}).run();
    }

    @Override
    public void onStop(Observation.Context context) {
        stopped.add(context);
    }

    void whenStarted(String name, Runnable task) {
        whenStarted.put(name, task);
    }

    void forget() {
        assertAllEnded();
        started.clear();
        stopped.clear();
    }

    /** Returns the stopped observations in order, as "name outcome". */
    List<String> ended() {
        return stopped.stream()
                .map(context -> context.getName() + " " + value(context, "outcome"))
                .toList();
    }

    List<Observation.Context> named(String name) {
        return stopped.stream()
                .filter(context -> name.equals(context.getName()))
                .toList();
    }

    void assertAllEnded() {
        assertThat(stopped).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(started);
    }

    /** Waits, since the observation of a unit may stop after its connection is released. */
    void awaitAllEnded() {
        await(this::assertAllEnded);
    }

    void awaitEnd(String name) {
        await(() -> assertThat(named(name)).isNotEmpty());
    }

    private static void await(Runnable assertion) {
        Mono.fromRunnable(assertion)
                .retryWhen(Retry.fixedDelay(500, Duration.ofMillis(10)).filter(AssertionError.class::isInstance))
                .block();
    }

    static String value(Observation.Context context, String key) {
        return context.getAllKeyValues().stream()
                .filter(pair -> pair.getKey().equals(key))
                .map(KeyValue::getValue)
                .findFirst()
                .orElse("");
    }

    static String parent(Observation.Context context) {
        ObservationView parent = context.getParentObservation();
        return parent == null ? "" : String.valueOf(parent.getContextView().getName());
    }

    /** Returns all text that a handler could export. */
    String everything() {
        return Stream.concat(started.stream(), stopped.stream())
                .map(context -> context.getName()
                        + context.getContextualName()
                        + context.getAllKeyValues()
                        + context.getError())
                .collect(Collectors.joining("\n"));
    }
}
