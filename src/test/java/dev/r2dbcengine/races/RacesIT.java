package dev.r2dbcengine.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs every race of this package. It calls the runners that jcstress generates instead of its main class, which would
 * examine the machine for 20 s and start several JVMs of 4 s each for a race: these races need many rounds rather than
 * many compilers.
 */
class RacesIT {
    /**
     * The minimum of rounds in which the two threads met. An idle machine reaches thousands; fewer than this prove
     * nothing.
     */
    private static final long LEAST_ROUNDS = 50;

    private static Options options;

    @BeforeAll
    static void options() throws IOException {
        String time = String.valueOf(Proof.rounds(350, 30_000));
        // Yields, because the machine may have other work on its cores; few objects a stride, because each is a cache.
        String few = "-c 2 -spinStyle THREAD_YIELD -strideSize 64 -strideCount 1 -iters 1 -time " + time;
        options = new Options(few.split(" "));
        assertThat(options.parse()).isTrue();
    }

    static Collection<String> races() {
        return TestList.tests();
    }

    @ParameterizedTest
    @MethodSource("races")
    void raceHasNoForbiddenOutcome(String race) throws ReflectiveOperationException {
        RecordingSubscriber.resetWaiting();
        TestResult result = run(race);

        List<String> seen = result.getStateKeys().stream()
                .map(outcome -> outcome + ": " + result.getCount(outcome))
                .toList();
        assertThat(result.grading().failureMessages).as("%s", seen).isEmpty();
        assertThat(result.status()).as("%s", result.getMessages()).isEqualTo(Status.NORMAL);
        assertThat(result.getTotalCount()).isGreaterThan(LEAST_ROUNDS);
        System.out.println(race + " " + seen);
    }

    private static TestResult run(String race) throws ReflectiveOperationException {
        SchedulingClass anywhere = new SchedulingClass(AffinityMode.NONE, 2, NodeType.PACKAGE);
        TestConfig config =
                new TestConfig(options, TestList.getInfo(race), 1, List.of(), CompileMode.UNIFIED, anywhere);
        Runner<?> runner = Class.forName(config.generatedRunnerName)
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        return result;
    }
}
