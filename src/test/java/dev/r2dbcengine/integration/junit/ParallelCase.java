package dev.r2dbcengine.integration.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInfo;

/** One of many classes that run at once, the tests of each at once as well: it finds its own row and no other. */
abstract class ParallelCase {
    static final int TESTS = 3;

    @BeforeAll
    static void leavesItsName(Engine engine, TestInfo test) {
        Items.inserted(engine, test.getTestClass().orElseThrow().getSimpleName());
    }

    @RepeatedTest(TESTS)
    void findsItsOwnRowAndNoOther(Engine engine, TestInfo test, ReactiveEngineCache engines) {
        String owner = test.getTestClass().orElseThrow().getSimpleName();
        Items.are(engine, owner);
        // Each has a name of its own: one that waits for another's lock would wait for that test.
        Items.completes(engine.unitOfWork().execute(work -> Items.insert(engine, test.getDisplayName())));
        Items.completes(Items.insert(engine, "zzz " + test.getDisplayName()));
        Items.are(engine, sorted(owner, test.getDisplayName()));
        assertThat(engines.engines()).hasSize(1);
    }

    private static String[] sorted(String owner, String test) {
        return Stream.of(owner, test, "zzz " + test).sorted().toArray(String[]::new);
    }
}
