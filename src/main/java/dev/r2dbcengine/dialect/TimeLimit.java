package dev.r2dbcengine.dialect;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Statement text that limits the time of one statement. Whoever runs {@link #before()} restores what {@link #current()}
 * read, whatever becomes of the statement.
 *
 * @param prefix goes in front of the statement's own text; may be empty
 * @param current a query for the limit in force, as a number that {@code restore} takes
 * @param before a statement that sets the limit for this connection; empty where there is none
 * @param restore a statement that sets it back, {@code {current}} standing for what was in force
 */
public record TimeLimit(String prefix, String current, String before, String restore) {

    /** The database has no text for it. */
    public static final TimeLimit NONE = new TimeLimit("", "", "", "");

    /**
     * What limits each statement of a session.
     *
     * @return {@link SessionSetting#NONE} where the limit stands in the statement itself
     */
    public SessionSetting asSetting() {
        return before.isEmpty() ? SessionSetting.NONE : new SessionSetting(current, before, restore);
    }

    TimeLimit of(Duration limit) {
        return new TimeLimit(fill(prefix, limit), current, fill(before, limit), restore);
    }

    private static String fill(String text, Duration limit) {
        long millis = Math.max(1, limit.toMillis());
        return text.replace("{millis}", Long.toString(millis))
                .replace("{seconds}", BigDecimal.valueOf(millis, 3).toPlainString());
    }
}
