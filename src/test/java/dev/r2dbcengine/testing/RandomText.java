package dev.r2dbcengine.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Combines random pieces and checks a property of all such texts; the same seed creates the same text. A failure is
 * reported with its seed, for {@code -Dseed=…}, and with the fewest pieces that still fail.
 */
public final class RandomText {
    private static final long FIRST = 1;
    private static final int MOST_PIECES = 24;

    private final List<String> pieces;

    private RandomText(List<String> pieces) {
        this.pieces = pieces;
    }

    public static RandomText of(List<String> pieces) {
        return new RandomText(pieces);
    }

    /** A property of a text; the source of randomness serves further choices, such as cuts. */
    @FunctionalInterface
    public interface Property {
        void check(String text, Random chance) throws Exception;
    }

    /** Checks a number of texts, or only that of {@code -Dseed}. */
    public void check(int rounds, Property property) {
        Long only = Long.getLong("seed");
        long first = only == null ? FIRST : only;
        long last = only == null ? FIRST + rounds : only + 1;
        for (long seed = first; seed < last; seed++) {
            check(seed, property);
        }
    }

    /** Asserts that this many of the checked texts reached the property; does not apply to {@code -Dseed}. */
    public static void assertReached(int reached, int least, String what) {
        if (reached < least && Long.getLong("seed") == null) {
            throw new AssertionError("Only " + reached + " texts were " + what + ", and not " + least);
        }
    }

    private void check(long seed, Property property) {
        List<String> joined = joined(seed);
        if (failure(joined, seed, property) == null) {
            return;
        }
        List<String> least = shrink(joined, seed, property);
        throw new AssertionError(
                "-Dseed=" + seed + " fails, and so does " + literal(String.join("", least)),
                failure(least, seed, property));
    }

    private List<String> joined(long seed) {
        Random random = random(seed);
        List<String> joined = new ArrayList<>();
        for (int i = random.nextInt(MOST_PIECES); i >= 0; i--) {
            joined.add(pieces.get(random.nextInt(pieces.size())));
        }
        return joined;
    }

    /* The discarded first value is similar for consecutive seeds. */
    private static Random random(long seed) {
        Random random = new Random(seed);
        random.nextInt();
        return random;
    }

    private static @Nullable Throwable failure(List<String> joined, long seed, Property property) {
        try {
            property.check(String.join("", joined), random(-seed));
            return null;
        } catch (Exception | AssertionError | StackOverflowError e) {
            return e;
        }
    }

    private static List<String> shrink(List<String> joined, long seed, Property property) {
        for (int i = 0; i < joined.size(); i++) {
            List<String> less = new ArrayList<>(joined);
            less.remove(i);
            if (failure(less, seed, property) != null) {
                return shrink(less, seed, property);
            }
        }
        return joined;
    }

    /** Returns the text as a Java literal. */
    public static String literal(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
