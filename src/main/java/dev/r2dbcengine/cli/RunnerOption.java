package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a setting, and how it is applied to a runner.
 *
 * @param label the label of the value in the help; empty for a switch
 * @param many whether the value is a list and the flag can be repeated
 * @param to returns the runner with the value
 */
record RunnerOption(String label, boolean many, BiFunction<MigrationRunner, String, MigrationRunner> to) {

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

    /** A setting that the runner does not have. */
    static RunnerOption none(String label) {
        return new RunnerOption(label, false, (runner, value) -> runner);
    }

    static RunnerOption text(String label, BiFunction<MigrationRunner, String, MigrationRunner> to) {
        return new RunnerOption(label, false, to);
    }

    static RunnerOption list(String label, BiFunction<MigrationRunner, String[], MigrationRunner> to) {
        return new RunnerOption(label + "[,…]", true, (runner, value) -> to.apply(runner, elements(value.trim())));
    }

    private static String[] elements(String value) {
        return value.isEmpty() ? new String[0] : value.split("\\s*,\\s*", -1);
    }

    static RunnerOption yesOrNo(BiFunction<MigrationRunner, Boolean, MigrationRunner> to) {
        return new RunnerOption("", false, (runner, value) -> to.apply(runner, yes(value)));
    }

    static RunnerOption time(BiFunction<MigrationRunner, Duration, MigrationRunner> to) {
        return new RunnerOption("TIME", false, (runner, value) -> to.apply(runner, duration(value)));
    }

    static RunnerOption scope(BiFunction<MigrationRunner, LockScope, MigrationRunner> to) {
        return new RunnerOption("session|transaction", false, (runner, value) -> to.apply(runner, scope(value)));
    }

    private static LockScope scope(String value) {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "session" -> LockScope.SESSION;
            case "transaction" -> LockScope.TRANSACTION;
            default -> throw new IllegalArgumentException("'" + value + "' is neither session nor transaction");
        };
    }

    boolean isSwitch() {
        return label.isEmpty();
    }

    private static boolean yes(String value) {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + value + "' is neither true nor false");
        };
    }

    private static Duration duration(String value) {
        Matcher time = TIME.matcher(value.trim().toLowerCase(Locale.ROOT));
        if (!time.matches()) {
            throw new IllegalArgumentException("'" + value + "' is not a duration: write 500ms, 60s, 5m or 1h");
        }
        long count = Long.parseLong(time.group(1));
        return switch (Objects.requireNonNullElse(time.group(2), "s")) {
            case "ms" -> Duration.ofMillis(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofSeconds(count);
        };
    }
}
