package dev.r2dbcengine.testing;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts the steps of code, independent of time: {@link CountedClasses} inserts a call at each method, jump and use of
 * the JDK that processes a text. The static methods replace those of the JDK with the same names. Not thread safe.
 */
@SuppressWarnings({"unused", "StringSplitter"
}) // called by the code that CountedClasses generates, in place of the original method
public final class Steps {
    private static long count;
    private static long most;

    private Steps() {}

    /** Thrown when there are too many steps; it ends the code, so nothing hangs. */
    public static final class TooMany extends Error {
        private static final long serialVersionUID = 1L;

        TooMany() {
            super("more than " + most + " steps");
        }
    }

    /** Starts counting from 0, with a limit. */
    static void begin(long limit) {
        count = 0;
        most = limit;
    }

    static long count() {
        return count;
    }

    public static void step() {
        if (++count > most) {
            throw new TooMany();
        }
    }

    public static void steps(int some) {
        count += some;
        step();
    }

    public static void over(Object text) {
        steps(text instanceof CharSequence characters ? characters.length() : 0);
    }

    private record Counted(CharSequence text) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            step();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            steps(end - start);
            return new Counted(text.subSequence(start, end));
        }

        @Override
        public String toString() {
            over(text);
            return text.toString();
        }
    }

    public static Matcher matcher(Pattern pattern, CharSequence text) {
        return pattern.matcher(new Counted(text));
    }

    public static String[] split(Pattern pattern, CharSequence text, int limit) {
        return pattern.split(new Counted(text), limit);
    }

    public static Stream<String> splitAsStream(Pattern pattern, CharSequence text) {
        return pattern.splitAsStream(new Counted(text));
    }

    public static String[] split(String text, String regex, int limit) {
        return split(Pattern.compile(regex), text, limit);
    }

    public static String replaceAll(String text, String regex, String replacement) {
        return matcher(Pattern.compile(regex), text).replaceAll(replacement);
    }

    public static boolean matches(String text, String regex) {
        return matcher(Pattern.compile(regex), text).matches();
    }

    public static int indexOf(String text, int c) {
        return found(text.length(), text.indexOf(c));
    }

    public static int indexOf(String text, String part) {
        return found(text.length(), text.indexOf(part));
    }

    public static int lastIndexOf(String text, int c) {
        over(text);
        return text.lastIndexOf(c);
    }

    public static int lastIndexOf(StringBuilder text, String part) {
        int at = text.lastIndexOf(part);
        steps(text.length() - Math.max(at, 0));
        return at;
    }

    public static boolean contains(String text, CharSequence part) {
        found(text.length(), text.indexOf(part.toString()));
        return text.contains(part);
    }

    private static int found(int length, int at) {
        steps(at < 0 ? length : at);
        return at;
    }

    public static StringBuilder append(StringBuilder out, String text) {
        over(text);
        return out.append(text);
    }

    public static StringBuilder append(StringBuilder out, CharSequence text, int start, int end) {
        steps(end - start);
        return out.append(text, start, end);
    }

    public static StringBuilder append(StringBuilder out, char[] text, int offset, int length) {
        steps(length);
        return out.append(text, offset, length);
    }

    public static void getChars(String text, int begin, int end, char[] out, int offset) {
        steps(end - begin);
        text.getChars(begin, end, out, offset);
    }

    public static boolean equals(String text, Object other) {
        steps(other instanceof String same && same.length() == text.length() ? text.length() : 0);
        return text.equals(other);
    }

    public static void arraycopy(Object from, int at, Object to, int toAt, int length) {
        steps(length);
        System.arraycopy(from, at, to, toAt, length);
    }

    public static char[] copyOf(char[] array, int length) {
        steps(length);
        return Arrays.copyOf(array, length);
    }
}
