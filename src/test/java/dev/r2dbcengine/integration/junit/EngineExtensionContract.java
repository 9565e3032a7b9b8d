package dev.r2dbcengine.integration.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The behavior of the extension on every database. */
abstract class EngineExtensionContract {
    private final Class<? extends RolledBackCase> rolledBack;
    private final Class<? extends BrokenCase> broken;
    private final Class<?> ten;

    /**
     * Creates a contract for a database.
     *
     * @param ten declares ten subclasses of {@link ParallelCase}
     */
    EngineExtensionContract(
            Class<? extends RolledBackCase> rolledBack, Class<? extends BrokenCase> broken, Class<?> ten) {
        this.rolledBack = rolledBack;
        this.broken = broken;
        this.ten = ten;
    }

    static EngineExecutionResults run(boolean parallel, Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(Stream.of(classes).map(each -> selectClass(each)).toArray(ClassSelector[]::new))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", String.valueOf(parallel))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "10")
                .execute();
    }

    static List<String> failures(EngineExecutionResults results) {
        return results.allEvents().failed().stream()
                .map(EngineExtensionContract::failure)
                .toList();
    }

    private static String failure(Event event) {
        Throwable thrown = event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        return event.getTestDescriptor().getDisplayName() + ": " + Objects.toString(thrown.getMessage());
    }

    @Test
    void testIsRolledBack() {
        EngineExecutionResults results = run(false, rolledBack);

        assertThat(failures(results)).containsExactly("fails(Engine): on purpose");
        results.testEvents().assertStatistics(tests -> tests.started(9).succeeded(8));
    }

    @Test
    void parallelClassesAreIsolated() {
        Class<?>[] classes = ten.getDeclaredClasses();
        assertThat(classes).hasSize(10);

        EngineExecutionResults results = run(true, classes);

        assertThat(failures(results)).isEmpty();
        results.testEvents().assertStatistics(tests -> tests.succeeded(10L * ParallelCase.TESTS));
    }

    @Test
    void failedMigrationFailsClassOnce() {
        assertThat(failures(run(false, broken)))
                .singleElement()
                .asString()
                .contains("Broken", "V1__broken.sql", "failed");
    }
}
