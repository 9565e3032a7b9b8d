package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The states that validation ignores, as Flyway's {@code ignoreMigrationPatterns}, such as {@code versioned:missing}.
 */
public record IgnorePatterns(List<Pattern> patterns) {

    /** Flyway's default: a later version of the application may have migrated the database. */
    static final IgnorePatterns DEFAULT = of("*:future");

    private static final String ANY = "*";
    private static final String VERSIONED = "versioned";
    private static final String REPEATABLE = "repeatable";

    private record Pattern(String type, String state) {
        private static final Set<String> TYPES = new TreeSet<>(Set.of(ANY, VERSIONED, REPEATABLE));
        private static final Set<String> STATES = new TreeSet<>(Set.of(ANY, "missing", "pending", "ignored", "future"));

        static Pattern of(String text) {
            String[] parts = text.toLowerCase(Locale.ROOT).split(":", -1);
            Pattern read = new Pattern(parts[0].trim(), parts[parts.length - 1].trim());
            if (parts.length != 2 || !TYPES.contains(read.type) || !STATES.contains(read.state)) {
                throw new IllegalArgumentException("'" + text + "' is no pattern of migrations to ignore: write"
                        + " type:state, with a type of " + TYPES + " and a state of " + STATES);
            }
            return read;
        }

        boolean matches(boolean versioned, MigrationState migration) {
            return (state.equals(ANY) || state.equalsIgnoreCase(migration.displayName()))
                    && (type.equals(ANY) || type.equals(versioned ? VERSIONED : REPEATABLE));
        }
    }

    public static IgnorePatterns of(String... patterns) {
        return new IgnorePatterns(Arrays.stream(patterns).map(Pattern::of).toList());
    }

    IgnorePatterns and(String pattern) {
        return new IgnorePatterns(
                Stream.concat(patterns.stream(), Stream.of(Pattern.of(pattern))).toList());
    }

    public boolean matches(boolean versioned, MigrationState state) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(versioned, state));
    }

    /** Returns whether a state is ignored for all kinds of migrations. */
    boolean matchesAll(MigrationState state) {
        return matches(true, state) && matches(false, state);
    }
}
