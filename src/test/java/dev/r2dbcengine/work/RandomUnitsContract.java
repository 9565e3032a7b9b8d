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
 * Compares random trees of nested units with a {@link TreeModel}: committed rows, hooks that ran, and the failure must
 * be equal. An assertion error names the seed of its tree; {@code -Dseed=…} runs only that tree.
 */
abstract class RandomUnitsContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long FIRST = 20_261_128;
    /** Unknown table, or a transaction that this error has aborted. */
    private static final Set<String> STATEMENT_FAILURES = Set.of("42P01", "42S02", "25P02");

    private static final Duration PAUSE = Duration.ofMillis(1);

    /** Ignores cleanup failures, which the trees cause on purpose. */
    static final WorkListener QUIET = new WorkListener() {
        @Override
        public void cleanupFailed(WorkExecution unit, String call, Throwable failure) {}
    };

    abstract ReactiveEngineCache engines();

    abstract Engine engine();

    /** Returns the number of trees. */
    abstract int trees();

    /** Returns whether a failed statement aborts the transaction. */
    abstract boolean failuresAbort();

    /** Called before each tree. */
    void prepare(long seed) {}

    /** Returns the rows that the tree of this seed has committed. */
    abstract Mono<List<String>> rows(long seed);

    /** Returns the misuses of the driver by the tree. */
    List<String> misuses() {
        return List.of();
    }

    /** Asserts that no connection kept a setting or an open transaction. */
    abstract void assertClean();

    @Test
    void randomUnitsMatchModel() {
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
                + " of which failed as expected");
    }

    private @Nullable Failure run(long seed) {
        TreeUnit tree = RandomTree.of(seed);
        TreeModel model = new TreeModel(failuresAbort());
        Failure expected = tree.expect(model);
        Outcome outcome = new Outcome(expected, new TreeSet<>(model.committed), sorted(model.hooks), 0, List.of());
        prepare(seed);
        TreeStep.Environment environment = new TreeStep.Environment(engine());
        AtomicReference<@Nullable Throwable> error = new AtomicReference<>();
        try {
            tree.run(environment).doOnError(error::set).onErrorComplete().block(LONG);
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + " hangs: " + tree, e);
        }
        assertThat(settled(seed, environment, error.get(), outcome))
                .as("seed %d: %s, which ended with %s", seed, tree, error.get())
                .isEqualTo(outcome);
        return expected;
    }

    /** The compared results of a tree. */
    private record Outcome(
            @Nullable Failure failure, TreeSet<String> rows, List<String> hooks, int borrowed, List<String> misuses) {}

    /** Polls, since cleanup after a cancellation runs in the background. */
    private Outcome settled(long seed, TreeStep.Environment environment, @Nullable Throwable error, Outcome expected) {
        Mono<Outcome> read = Mono.defer(() -> rows(seed))
                .map(rows -> new Outcome(
                        failure(seed, error, expected.failure),
                        new TreeSet<>(rows),
                        sorted(List.copyOf(environment.hooks())),
                        engines().engines().get(0).connections().borrowed(),
                        misuses()));
        return Objects.requireNonNull(read.repeatWhen(again -> again.delayElements(PAUSE))
                .takeUntil(expected::equals)
                .takeUntilOther(Mono.delay(LONG))
                .blockLast());
    }

    private static List<String> sorted(List<String> hooks) {
        return hooks.stream().sorted().toList();
    }

    /** Classifies the error; a cancelled root emits none. */
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
        String message = String.valueOf(error.getMessage());
        if (isStatementFailure(error) || message.contains("was aborted by the database")) {
            return Failure.STATEMENT;
        }
        if (message.contains("MANDATORY")) {
            return Failure.NO_OUTER_UNIT;
        }
        throw new AssertionError("seed " + seed + ": an unexpected error", error);
    }

    private static boolean isStatementFailure(Throwable error) {
        return error instanceof R2dbcException failure
                && STATEMENT_FAILURES.contains(String.valueOf(failure.getSqlState()));
    }
}
