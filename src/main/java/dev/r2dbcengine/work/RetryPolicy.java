package dev.r2dbcengine.work;

import dev.r2dbcengine.internal.text.TimeSetting;
import java.time.Duration;

/**
 * How often, and after what pause, a unit of work is run again when the database calls its failure transient: a
 * serialization failure, a deadlock, or a cached plan that a change of the schema has outdated ({@link
 * dev.r2dbcengine.dialect.ErrorKind}). The pause doubles each time, up to a
 * limit, with half of it left to chance, so that units which met do not meet again.
 *
 * @param retries how often it is run again; at least 1
 * @param firstPause before the first retry; zero retries at once
 * @param longestPause the limit
 */
public record RetryPolicy(int retries, Duration firstPause, Duration longestPause) {

    /**
     * Checks the values; a pause of more than a hundred years is taken for a hundred.
     *
     * @param retries how often it is run again
     * @param firstPause before the first retry
     * @param longestPause the limit
     * @throws IllegalArgumentException when one is below its least value, or the limit is shorter than the first pause
     */
    public RetryPolicy {
        if (retries < 1) {
            throw new IllegalArgumentException("A retry policy with " + retries + " retries: at least 1 is needed");
        }
        firstPause = TimeSetting.checked(firstPause, "firstPause");
        longestPause = TimeSetting.checked(longestPause, "longestPause");
        if (longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("A retry policy pauses from " + firstPause + " up to " + longestPause
                    + ": the first must not be longer than the second");
        }
    }

    /**
     * Retries after 20 ms at first and 1 s at most.
     *
     * @param retries how often the unit is run again
     * @return the policy
     */
    public static RetryPolicy times(int retries) {
        return new RetryPolicy(retries, Duration.ofMillis(20), Duration.ofSeconds(1));
    }

    /**
     * Changes the pauses.
     *
     * @param first before the first retry; zero retries at once
     * @param longest the limit
     * @return a policy with these pauses
     */
    public RetryPolicy pauses(Duration first, Duration longest) {
        return new RetryPolicy(retries, first, longest);
    }
}
