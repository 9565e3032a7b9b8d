package dev.r2dbcengine.dialect;

import java.util.regex.Pattern;

/**
 * One rule on which statements run in a transaction. The first word is kept separately, since it rules out most
 * statements.
 */
record TransactionRule(String first, Pattern words, int before, InTransaction answer) {

    static TransactionRule of(String words, int before, InTransaction answer) {
        int end = 0;
        while (end < words.length() && Character.isLetter(words.charAt(end))) {
            end++;
        }
        return new TransactionRule(
                words.substring(0, end),
                Pattern.compile("(?:" + words + ")\\b", Pattern.CASE_INSENSITIVE),
                before,
                answer);
    }

    boolean fits(String statement, int version) {
        return version < before
                && statement.regionMatches(true, 0, first, 0, first.length())
                && words.matcher(statement).lookingAt();
    }
}
