package dev.r2dbcengine.migrate;

import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The version of a migration, in Flyway's order: by its parts, which are whole numbers of any size; missing parts are
 * zero. {@code 1}, {@code 1.0}, {@code 01} and {@code 1_0} are equal, and {@code 1.10} is newer than {@code 1.9}. It
 * has at most 50 characters, the length of the column in the history table. An immutable value.
 */
public final class MigrationVersion implements Comparable<MigrationVersion> {

    private static final Pattern WRITTEN = Pattern.compile("[0-9]+([._][0-9]+)*");
    private static final int LONGEST = 50;
    private static final Pattern DOT = Pattern.compile("\\.");

    private final String text;
    private final List<BigInteger> parts;

    private MigrationVersion(String text) {
        this.text = text;
        this.parts = withoutTrailingZeros(DOT.splitAsStream(text).map(BigInteger::new));
    }

    private static List<BigInteger> withoutTrailingZeros(Stream<BigInteger> parts) {
        List<BigInteger> all = parts.toList();
        int end = all.size();
        while (end > 0 && all.get(end - 1).signum() == 0) {
            end--;
        }
        return all.subList(0, end);
    }

    /**
     * Reads a version.
     *
     * @param text digits, with {@code .} or {@code _} between them
     * @return the version
     * @throws IllegalArgumentException if the text is anything else, or longer than 50 characters
     */
    public static MigrationVersion of(String text) {
        if (text.length() > LONGEST || !WRITTEN.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no version: write numbers with dots between them, such as 1.2, in at most "
                            + LONGEST + " characters");
        }
        return new MigrationVersion(text.replace('_', '.'));
    }

    /**
     * Compares this version with another one.
     *
     * @param other a version; null is below each version
     * @return true if this version is above the other one
     */
    public boolean newerThan(@Nullable MigrationVersion other) {
        return other == null || compareTo(other) > 0;
    }

    @Override
    public int compareTo(MigrationVersion other) {
        int common = Math.min(parts.size(), other.parts.size());
        for (int i = 0; i < common; i++) {
            int order = parts.get(i).compareTo(other.parts.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(parts.size(), other.parts.size());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MigrationVersion version && parts.equals(version.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** {@return the version as it was written, with dots, as the history table stores it} */
    @Override
    public String toString() {
        return text;
    }
}
