package dev.r2dbcengine.dialect;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Text that limits the time of one statement.
 *
 * @param prefix precedes the text of the statement; may be empty
 * @param setting limits each statement of a session; {@link SessionSetting#NONE} if the database has no such setting
 */
public record TimeLimit(String prefix, SessionSetting setting) {

    /** No text: the database cannot limit the time of a statement. */
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
