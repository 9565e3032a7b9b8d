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

    /* Databases count in 32 bits. */
    private static final Duration LONGEST_IN_TEXT = Duration.ofMillis(Integer.MAX_VALUE);

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
