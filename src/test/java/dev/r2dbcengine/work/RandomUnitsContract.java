package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.work.TreeModel.Failure;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * Trees of nested units, grown at random, against a model without any connection: the same rows, the same actions after the
 * end, the same failure. {@code -Dseed=…} runs the one tree of that seed, which a failure tells.
 */
abstract class RandomUnitsContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long FIRST = 20_261_128;
    /** There is no such table, or the transaction was aborted by that. */
    private static final Set<String> STATEMENT_FAILURES = Set.of("42P01", "42S02", "25P02");

    private static final Duration PAUSE = Duration.ofMillis(1);

    /** What is left behind a subscriber's back is the tree's. */
    static final WorkListener QUIET = new WorkListener() {
        @Override
        public void cleanupFailed(WorkExecution unit, String call, Throwable failure) {}
    };

    abstract ReactiveEngineCache engines();

    abstract Engine engine();

    /** How many trees with each build, and how many to prove it. */
    abstract int trees();

    /** Whether a failed statement fails all that follow. */
    abstract boolean failuresAbort();

    /** Before a tree. */
    void prepare(long seed) {}

    /** What the tree of this seed has committed. */
    abstract Mono<List<String>> rows(long seed);

    /** What a tree has done to the driver that it must not do. */
    List<String> misuses() {
        return List.of();
    }

    /** That nothing is left on connections. */
    abstract void assertClean();

    @Test
    void unitsDoWhatTheModelSays() {
        Long seed = Long.getLong("seed");
        long first = seed == null ? FIRST : seed;
        long last = seed == null ? FIRST + trees() : seed + 1;
        List<Failure> failures = new ArrayList<>();
        for (long each = first; each < last; each++) {
            Failure failure = run(each);
            if (failure != null) {
                failures.add(failure);
            }
        }
        assertClean();
        Proof.figure(getClass().getSimpleName() + ": " + (last - first) + " trees, " + failures.size()
                + " of which failed as they were to");
    }

    private @Nullable Failure run(long seed) {
        TreeUnit tree = RandomTree.of(seed);
        TreeModel model = new TreeModel(failuresAbort());
        Failure expected = tree.expect(model);
        Outcome outcome = new Outcome(expected, new TreeSet<>(model.committed), sorted(model.hooks), 0, List.of());
        prepare(seed);
        TreeStep.Bed bed = new TreeStep.Bed(engine());
        AtomicReference<@Nullable Throwable> error = new AtomicReference<>();
        try {
            tree.run(bed).doOnError(error::set).onErrorComplete().block(LONG);
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + " hangs: " + tree, e);
        }
        assertThat(settled(seed, bed, error.get(), outcome))
                .as("seed %d: %s, which ended with %s", seed, tree, error.get())
                .isEqualTo(outcome);
        return expected;
    }

    /** What is compared. */
    private record Outcome(
            @Nullable Failure failure, TreeSet<String> rows, List<String> hooks, int borrowed, List<String> misuses) {}

    /** What is done behind a subscriber's back may take a moment. */
    private Outcome settled(long seed, TreeStep.Bed bed, @Nullable Throwable error, Outcome expected) {
        Mono<Outcome> look = Mono.defer(() -> rows(seed))
                .map(rows -> new Outcome(
                        failure(seed, error, expected.failure),
                        new TreeSet<>(rows),
                        sorted(List.copyOf(bed.hooks())),
                        engines().engines().get(0).connections().borrowed(),
                        misuses()));
        return Objects.requireNonNull(look.repeatWhen(again -> again.delayElements(PAUSE))
                .takeUntil(expected::equals)
                .takeUntilOther(Mono.delay(LONG))
                .blockLast());
    }

    private static List<String> sorted(List<String> hooks) {
        return hooks.stream().sorted().toList();
    }

    /** A root whose subscriber leaves tells him nothing. */
    private static @Nullable Failure failure(long seed, @Nullable Throwable error, @Nullable Failure expected) {
        if (error == null) {
            return expected == Failure.CANCELLED ? expected : null;
        }
        if (error instanceof TreeStep.OnPurpose) {
            return Failure.ON_PURPOSE;
        }
        if (error instanceof UnexpectedRollbackException) {
            return Failure.UNEXPECTED_ROLLBACK;
        }
        if (error.getClass().getSimpleName().equals("PostgresqlRollbackException")) {
            return Failure.COMMIT;
        }
        String told = String.valueOf(error.getMessage());
        if (isOfAStatement(error) || told.contains("was aborted by the database")) {
            return Failure.STATEMENT;
        }
        if (told.contains("MANDATORY")) {
            return Failure.NO_OUTER_UNIT;
        }
        throw new AssertionError("seed " + seed + ": an error that nobody foretold", error);
    }

    private static boolean isOfAStatement(Throwable error) {
        return error instanceof R2dbcException told && STATEMENT_FAILURES.contains(String.valueOf(told.getSqlState()));
    }
}
