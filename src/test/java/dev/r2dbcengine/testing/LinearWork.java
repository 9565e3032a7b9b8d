package dev.r2dbcengine.testing;

import java.lang.reflect.Constructor;
import java.util.function.Consumer;

/**
 * Shows that work grows no faster than the text it is done on: so many steps for each character, whatever the text. Steps are
 * counted ({@link Steps}), no time is measured.
 */
public final class LinearWork {
    private static final ClassLoader COUNTED = new CountedClasses();
    private static final int SHORT = 20_000;
    private static final int GROWTH = 10;

    private LinearWork() {}

    /**
     * Asserts it for a text of one size and for one ten times as long.
     *
     * @param type does the work; its constructor takes the variant
     * @param variant of the work, such as the dialect
     * @param text of which input
     * @param most steps a character
     */
    public static void assertLinear(Class<? extends Consumer<String>> type, String variant, NastyText text, int most) {
        int size = SHORT * Proof.rounds(1, 5);
        double first = perCharacter(counted(type, variant), text, size, most);
        double second = perCharacter(counted(type, variant), text, size * GROWTH, most);
        Proof.figure(String.format(
                "%s %s on %s: %.1f steps a character, and %.1f of %d characters",
                type.getSimpleName(), variant, text, first, second, size * GROWTH));
    }

    private static double perCharacter(Consumer<String> work, NastyText text, int size, int most) {
        String input = text.of(size);
        Steps.begin((long) input.length() * most);
        try {
            work.accept(input);
        } catch (Steps.TooMany e) {
            throw new AssertionError(
                    work.getClass().getSimpleName() + " on " + text + ": more than " + most + " steps for each of "
                            + input.length() + " characters",
                    e);
        }
        return (double) Steps.count() / input.length();
    }

    @SuppressWarnings("unchecked") // it is the same class, once more
    private static Consumer<String> counted(Class<? extends Consumer<String>> type, String variant) {
        Steps.begin(Long.MAX_VALUE);
        try {
            Constructor<?> constructor = COUNTED.loadClass(type.getName()).getDeclaredConstructor(String.class);
            constructor.setAccessible(true);
            return (Consumer<String>) constructor.newInstance(variant);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " has no constructor of a variant", e);
        }
    }
}
