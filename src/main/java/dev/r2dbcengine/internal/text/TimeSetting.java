package dev.r2dbcengine.internal.text;

import java.time.Duration;
import java.util.Objects;

/** Validates the durations of settings. */
public final class TimeSetting {

    /* More than all that waits, and no more than a timer counts in nanoseconds, with something added to it. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private TimeSetting() {}

    /**
     * Checks a time.
     *
     * @param time the requested time
     * @param setting its name, as it is written where it is set
     * @return the time, at most a hundred years
     * @throws IllegalArgumentException when it is negative
     */
    public static Duration checked(Duration time, String setting) {
        return checked(time, setting, Objects.requireNonNull(time, setting).toString());
    }

    /**
     * Checks a time that came as text.
     *
     * @param time the requested time
     * @param setting its name, as it is written where it is set
     * @param written the time, as it was written there
     * @return the time, at most a hundred years
     * @throws IllegalArgumentException when it is negative
     */
    public static Duration checked(Duration time, String setting, String written) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(setting + " is " + written + ": must not be negative");
        }
        return time.compareTo(LONGEST) < 0 ? time : LONGEST;
    }
}
