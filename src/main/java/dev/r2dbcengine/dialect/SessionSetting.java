package dev.r2dbcengine.dialect;

import java.time.Duration;

/**
 * Statement text that changes how a connection behaves. If it outlives the transaction, the caller reads {@link
 * #current()} before {@link #set()} and restores the value after the transaction.
 *
 * @param current a query for the value in force, in a form that {@code restore} takes; empty where nothing has to be
 *     put back
 * @param set a statement that sets the value
 * @param restore a statement that sets it back, {@code {current}} standing for what was in force; empty where the end
 *     of the transaction does it, in which {@code set} has to run then
 */
public record SessionSetting(String current, String set, String restore) {

    /** The database has no text for it. */
    public static final SessionSetting NONE = new SessionSetting("", "", "");

    /**
     * Whether it holds until it is put back, and not just until the end of the transaction in which it was set.
     *
     * @return true if it has to be put back
     */
    public boolean outlivesTransaction() {
        return !restore.isEmpty();
    }

    /**
     * The statement that puts it back.
     *
     * @param was what {@link #current()} read
     * @return its text
     */
    public String restore(String was) {
        return restore.replace("{current}", was);
    }

    SessionSetting with(String value) {
        return new SessionSetting(current, set.replace("{value}", value), restore);
    }

    /* In the units that databases have: milliseconds, or whole seconds, but never none. */
    SessionSetting with(Duration limit) {
        long millis = TimeLimit.millis(limit);
        String seconds = Long.toString((millis + 999) / 1000);
        return new SessionSetting(
                current, set.replace("{millis}", Long.toString(millis)).replace("{seconds}", seconds), restore);
    }
}
