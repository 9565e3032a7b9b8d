package dev.r2dbcengine.dialect;

import java.time.Duration;

/**
 * Statements that change a setting of a session. If the setting outlives the transaction, the caller reads {@link
 * #current()} before {@link #set()} and restores the value after the transaction.
 *
 * @param current a query for the present value, in the form that {@code restore} takes; empty if the end of the
 *     transaction restores it
 * @param set a statement that sets the value
 * @param restore a statement that restores the value {@code {current}}; empty if the end of the transaction does it:
 *     {@code set} must then run within the transaction
 */
public record SessionSetting(String current, String set, String restore) {

    /** No statement: the database has no such setting. */
    public static final SessionSetting NONE = new SessionSetting("", "", "");

    /**
     * Returns whether the setting outlives the transaction in which it was set.
     *
     * @return true if the caller must restore it
     */
    public boolean outlivesTransaction() {
        return !restore.isEmpty();
    }

    /**
     * Returns the statement that restores a value.
     *
     * @param was the value that {@link #current()} returned
     * @return the text
     */
    public String restore(String was) {
        return restore.replace("{current}", was);
    }

    SessionSetting with(String value) {
        return new SessionSetting(current, set.replace("{value}", value), restore);
    }

    /* Databases count in milliseconds or in whole seconds; zero would mean no limit. */
    SessionSetting with(Duration limit) {
        long millis = TimeLimit.millis(limit);
        String seconds = Long.toString((millis + 999) / 1000);
        return new SessionSetting(
                current, set.replace("{millis}", Long.toString(millis)).replace("{seconds}", seconds), restore);
    }
}
