package dev.r2dbcengine.dialect;

import java.util.HashSet;
import java.util.Set;

/** Writes statements for PostgreSQL. */
final class PostgresqlText {

    /** No text holds so many tags that a longer number is needed. */
    private static final int DIGITS = 9;

    private PostgresqlText() {}

    /* The driver knows dollar quotes, and the server runs in the block what it would run outside of it. */
    static String doBlock(String statement) {
        String inner = tag("s", statement);
        String outer = tag("b", statement);
        return "do " + outer + " begin execute " + inner + statement + inner + "; end " + outer;
    }

    private static String tag(String name, String text) {
        Set<Integer> taken = taken("$" + name, text);
        int number = 0;
        while (taken.contains(number)) {
            number++;
        }
        return "$" + name + number + "$";
    }

    /* In one pass, however many there are: to ask for each number anew would take the square of it. */
    private static Set<Integer> taken(String before, String text) {
        Set<Integer> taken = new HashSet<>();
        for (int at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + before.length())) {
            take(text, at + before.length(), taken);
        }
        return taken;
    }

    /* All that the digits there begin with: "$s12" holds "$s1" too. */
    private static void take(String text, int from, Set<Integer> taken) {
        int number = 0;
        for (int i = from; i < Math.min(text.length(), from + DIGITS) && isDigit(text.charAt(i)); i++) {
            number = 10 * number + text.charAt(i) - '0';
            taken.add(number);
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
