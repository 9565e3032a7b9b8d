package dev.r2dbcengine.dialect;

import java.util.HashSet;
import java.util.Set;

/** Writes statements for PostgreSQL. */
final class PostgresqlText {

    /** Enough for the number of tags in any text. */
    private static final int DIGITS = 9;

    private PostgresqlText() {}

    /*
     * The driver does not parse dollar-quoted text, and the server executes the statement in the block as it would
     * outside.
     */
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

    /* In one pass: a search for each number would take quadratic time. */
    private static Set<Integer> taken(String before, String text) {
        Set<Integer> taken = new HashSet<>();
        for (int at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + before.length())) {
            take(text, at + before.length(), taken);
        }
        return taken;
    }

    /* All prefixes of the digits: "$s12" contains "$s1". */
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
