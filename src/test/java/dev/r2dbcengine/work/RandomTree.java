package dev.r2dbcengine.work;

import dev.r2dbcengine.work.TreeUnit.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Generates random trees of nested units; equal seeds give equal trees. */
final class RandomTree {
    /** The number of rows in the table "number". */
    static final int NUMBERS = 3;

    private static final List<Propagation> PROPAGATIONS = List.of(Propagation.values());
    private static final int DEPTH = 4;
    private static final int STEPS = 5;

    private final Random random;
    private final String name;
    private int rows;

    private RandomTree(long seed) {
        this.random = new Random(seed);
        this.name = Long.toString(seed) + "-";
    }

    static TreeUnit of(long seed) {
        RandomTree tree = new RandomTree(seed);
        // Discarded, because the first values of consecutive seeds are similar.
        tree.random.nextInt();
        return tree.unit(tree.random.nextInt(10) == 0 ? tree.propagation() : Propagation.REQUIRED, 0);
    }

    private Propagation propagation() {
        return PROPAGATIONS.get(random.nextInt(PROPAGATIONS.size()));
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private String row() {
        return name + ++rows;
    }

    private List<String> rows(int count) {
        return IntStream.range(0, count).mapToObj(i -> row()).toList();
    }

    private TreeUnit unit(Propagation kind, int depth) {
        List<Trait> traits = new ArrayList<>();
        for (Trait trait : Trait.values()) {
            boolean fits = trait != Trait.BY_SAVEPOINT_OF_WORK || (kind == Propagation.NESTED && depth > 0);
            if (fits
                    && oneIn(
                            trait == Trait.FAILURE_IS_SWALLOWED
                                            || trait == Trait.STREAMS
                                            || trait == Trait.BY_SAVEPOINT_OF_WORK
                                    ? 2
                                    : 8)) {
                traits.add(trait);
            }
        }
        List<TreeStep> steps = new ArrayList<>();
        int count = random.nextInt(STEPS + 1);
        for (int i = 0; i < count; i++) {
            steps.add(step(depth));
        }
        return new TreeUnit(kind, List.copyOf(traits), List.copyOf(steps));
    }

    private TreeStep step(int depth) {
        if (depth < DEPTH && oneIn(3)) {
            return unit(propagation(), depth + 1);
        }
        return switch (random.nextInt(18)) {
            case 0 -> new TreeStep.Fail();
            case 1 -> new TreeStep.FailingStatement(random.nextBoolean());
            case 2 -> new TreeStep.Cancel();
            case 3 -> new TreeStep.SwitchThread();
            case 4 -> new TreeStep.BeforeCommit(oneIn(4) ? null : row());
            case 5, 6 -> new TreeStep.AfterEnd(row());
            case 7 -> new TreeStep.Inserts(rows(3));
            case 8 -> new TreeStep.InsertForEachRow(rows(NUMBERS));
            case 9 -> new TreeStep.FirstRow();
            case 10 -> new TreeStep.CancelDuringStatement(row());
            default -> new TreeStep.Insert(row(), random.nextBoolean());
        };
    }
}
