package dev.r2dbcengine.dialect;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Statement text that limits the time of one statement.
 *
 * @param prefix goes in front of the statement's own text; may be empty
 * @param setting limits each statement of a session; {@link SessionSetting#NONE} where there is no such thing
 */
public record TimeLimit(String prefix, SessionSetting setting) {

    /** The database has no text for it. */
    public static final TimeLimit NONE = new TimeLimit("", SessionSetting.NONE);

    /* More than all that waits, and no more than a timer counts in nanoseconds, with something added to it. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /* Databases count in 32 bits. */
    private static final Duration LONGEST_IN_TEXT = Duration.ofMillis(Integer.MAX_VALUE);

    /**
     * Checks a time that a setting takes.
     *
     * @param time what was asked for
     * @param what the name of the setting
     * @return the time, a hundred years in place of a longer one
     * @throws IllegalArgumentException when it is below zero
     */
    public static Duration checked(Duration time, String what) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("The " + what + " of " + time + " is below zero");
        }
        return time.compareTo(LONGEST) < 0 ? time : LONGEST;
    }

    static long millis(Duration limit) {
        return limit.compareTo(LONGEST_IN_TEXT) < 0 ? Math.max(1, limit.toMillis()) : Integer.MAX_VALUE;
    }

    TimeLimit of(Duration limit) {
        long millis = millis(limit);
        String filled = prefix.replace("{millis}", Long.toString(millis))
                .replace("{seconds}", BigDecimal.valueOf(millis, 3).toPlainString());
        return new TimeLimit(filled, setting.with(limit));
    }
}
