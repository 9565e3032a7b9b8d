package dev.r2dbcengine.integration.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInfo;

/** One of many test classes that run in parallel, as do their tests; each class sees only its own row. */
abstract class ParallelCase {
    static final int TESTS = 3;

    @BeforeAll
    static void insertsItsName(Engine engine, TestInfo test) {
        Items.inserted(engine, test.getTestClass().orElseThrow().getSimpleName());
    }

    @RepeatedTest(TESTS)
    void findsOnlyItsOwnRow(Engine engine, TestInfo test, ReactiveEngineCache engines) {
        String owner = test.getTestClass().orElseThrow().getSimpleName();
        Items.are(engine, owner);
        // The names are unique, since parallel tests would otherwise wait for each other's locks.
        Items.completes(engine.unitOfWork().execute(work -> Items.insert(engine, test.getDisplayName())));
        Items.completes(Items.insert(engine, "zzz " + test.getDisplayName()));
        Items.are(engine, sorted(owner, test.getDisplayName()));
        assertThat(engines.engines()).hasSize(1);
    }

    private static String[] sorted(String owner, String test) {
        return Stream.of(owner, test, "zzz " + test).sorted().toArray(String[]::new);
    }
}
