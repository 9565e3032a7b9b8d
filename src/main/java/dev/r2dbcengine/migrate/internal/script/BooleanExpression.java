package dev.r2dbcengine.migrate.internal.script;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;

/**
 * The value of {@code shouldExecute}, after placeholders were replaced: {@code true} and {@code false}, {@code a==b} and
 * {@code a!=b}, joined by {@code &&}, which binds closer, and {@code ||}. There are no parentheses and no quotes.
 */
public final class BooleanExpression {

    private static final Pattern OR = Pattern.compile("\\|\\|");
    private static final Pattern AND = Pattern.compile("&&");
    private static final Pattern COMPARISON = Pattern.compile("([^=!]*)([=!])=([^=!]*)");

    private BooleanExpression() {}

    /** Returns the value; empty if the expression is invalid. */
    public static Optional<Boolean> evaluate(String expression) {
        return joined(OR, expression, Boolean::logicalOr);
    }

    private static Optional<Boolean> joined(Pattern operator, String text, BinaryOperator<Boolean> join) {
        return Arrays.stream(operator.split(text, -1))
                .map(part -> operator.equals(OR) ? joined(AND, part, Boolean::logicalAnd) : term(part.trim()))
                .reduce((one, other) -> one.flatMap(left -> other.map(right -> join.apply(left, right))))
                .orElseThrow();
    }

    private static Optional<Boolean> term(String term) {
        var comparison = COMPARISON.matcher(term);
        if (comparison.matches()) {
            boolean same = comparison.group(1).trim().equals(comparison.group(3).trim());
            return Optional.of(same == comparison.group(2).equals("="));
        }
        return switch (term.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
