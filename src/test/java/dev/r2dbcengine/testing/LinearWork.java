package dev.r2dbcengine.testing;

import java.lang.reflect.Constructor;
import java.util.function.Consumer;

/**
 * Asserts that the work grows linearly with the text: a maximum of steps per character for any text. It counts steps
 * ({@link Steps}) and measures no time.
 */
public final class LinearWork {
    private static final ClassLoader COUNTED = new CountedClasses();
    private static final int SHORT = 20_000;
    private static final int GROWTH = 10;

    private LinearWork() {}

    /**
     * Asserts the limit for a text of one size and of ten times that size.
     *
     * @param type does the work; its constructor takes the variant
     * @param variant of the work, such as the dialect
     * @param text the input
     * @param most steps per character
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

    @SuppressWarnings("unchecked") // the same class in another class loader
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
