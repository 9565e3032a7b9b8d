package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.AcquisitionListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class CompositeListenersTest {
    private final List<String> events = new CopyOnWriteArrayList<>();

    private final class RecordingListener implements EngineListener, AcquisitionListener {
        private final String name;

        RecordingListener(String name) {
            this.name = name;
        }

        @Override
        public AcquisitionListener borrowing(String url, ContextView context) {
            return this;
        }

        @Override
        public void borrowed() {
            events.add(name);
        }

        @Override
        public void failed(Throwable failure) {
            throw new IllegalStateException(name, failure);
        }

        @Override
        public void cancelled() {}
    }

    private @Nullable AcquisitionListener borrowing(EngineListener... listeners) {
        return CompositeListeners.of(EngineListener.class, List.of(listeners))
                .orElseThrow()
                .borrowing("r2dbc:fake://host/db", Context.empty());
    }

    @Test
    void noBeanIsEmptyAndSingleBeanIsReturnedItself() {
        EngineListener only = new RecordingListener("only");

        assertThat(CompositeListeners.of(EngineListener.class, List.of())).isEmpty();
        assertThat(CompositeListeners.of(EngineListener.class, List.of(only))).containsSame(only);
    }

    @Test
    void allAcquisitionListenersAreNotified() {
        EngineListener silent = EngineListener.DEFAULT;

        assertThat(borrowing(silent, silent)).isNull();
        assertThat(borrowing(silent, new RecordingListener("a"))).isInstanceOf(RecordingListener.class);
        AcquisitionListener both = borrowing(new RecordingListener("a"), silent, new RecordingListener("b"));
        assertThat(both).isNotNull().satisfies(AcquisitionListener::borrowed);
        assertThat(events).containsExactly("a", "b");
    }

    @Test
    void firstExceptionIsThrownAfterAllCalls() {
        AcquisitionListener both =
                Objects.requireNonNull(borrowing(new RecordingListener("a"), new RecordingListener("b")));

        assertThatThrownBy(() -> both.failed(new IllegalStateException())).hasMessage("a");
    }

    /** For example, telemetry replaces the observation of the request by its own. */
    @Test
    void changesOfContextAreMerged() {
        Unit unit = new Unit("unit", 1, Context.of("changed", "before", "left", "as it was"));
        WorkListener changes = entering(of -> of.context().put("changed", "after"));
        WorkListener adds = entering(of -> of.context().put("added", 1));
        WorkListener none = new WorkListener() {};

        for (List<WorkListener> order : List.of(List.of(changes, none, adds), List.of(adds, none, changes))) {
            assertThat(CompositeListeners.of(WorkListener.class, order).orElseThrow().entering(unit).stream())
                    .containsExactlyInAnyOrder(
                            Map.entry("changed", "after"), Map.entry("left", "as it was"), Map.entry("added", 1));
        }
    }

    @SuppressWarnings("NullAway") // violates the contract of the listener
    @Test
    void nullContextChangesNothing() {
        Unit unit = new Unit("unit", 1, Context.of("left", "as it was"));
        WorkListener nothing = entering(of -> null);

        assertThat(
                        CompositeListeners.of(WorkListener.class, List.of(nothing, nothing))
                                .orElseThrow()
                                .entering(unit)
                                .stream())
                .containsExactly(Map.entry("left", "as it was"));
    }

    private record Unit(String name, int attempt, Context context) implements WorkExecution {}

    private static WorkListener entering(Function<WorkExecution, Context> answer) {
        return new WorkListener() {
            @Override
            public Context entering(WorkExecution unit) {
                return answer.apply(unit);
            }
        };
    }

    @Test
    void compositeEqualsOnlyItself() {
        List<MigrationListener> two = List.of(new MigrationListener() {}, new MigrationListener() {});
        MigrationListener all =
                CompositeListeners.of(MigrationListener.class, two).orElseThrow();

        assertThat(Set.of(all)).contains(all);
        assertThat(all)
                .isNotEqualTo(
                        CompositeListeners.of(MigrationListener.class, two).orElseThrow())
                .hasToString("all listeners");
    }
}
