package dev.r2dbcengine.work;

import dev.r2dbcengine.internal.text.TimeSetting;
import java.time.Duration;

/**
 * The number of retries of a unit of work and the pauses between them. A unit is retried after a transient failure: a
 * serialization failure, a deadlock, or a cached plan that a change of the schema has outdated ({@link
 * dev.r2dbcengine.dialect.ErrorKind}). The pause doubles with each retry up to a limit, and half of it is random, so that
 * conflicting units do not collide again.
 *
 * @param retries the maximum number of retries; at least 1
 * @param firstPause the pause before the first retry; zero retries at once
 * @param longestPause the maximum pause
 */
public record RetryPolicy(int retries, Duration firstPause, Duration longestPause) {

    /**
     * Checks the values. A pause of more than a hundred years counts as a hundred.
     *
     * @param retries the maximum number of retries
     * @param firstPause the pause before the first retry
     * @param longestPause the maximum pause
     * @throws IllegalArgumentException if a value is below its minimum, or the maximum pause is shorter than the first
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
     * Returns a policy whose first pause is 20 ms and whose maximum pause is 1 s.
     *
     * @param retries the maximum number of retries
     * @return the policy
     */
    public static RetryPolicy times(int retries) {
        return new RetryPolicy(retries, Duration.ofMillis(20), Duration.ofSeconds(1));
    }

    /**
     * Returns a policy with other pauses.
     *
     * @param first the pause before the first retry; zero retries at once
     * @param longest the maximum pause
     * @return a policy with these pauses
     */
    public RetryPolicy pauses(Duration first, Duration longest) {
        return new RetryPolicy(retries, first, longest);
    }
}
