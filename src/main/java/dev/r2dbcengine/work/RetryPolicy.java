package dev.r2dbcengine.work;

import dev.r2dbcengine.internal.text.TimeSetting;
import java.time.Duration;

/**
 * The retries of a unit of work and the pauses between them. A unit is retried after a conflict: a serialization failure, a
 * deadlock, or a cached plan that a change of the schema has outdated ({@link dev.r2dbcengine.dialect.ErrorKind}); and, if
 * {@link #failover(Duration)} is set, after a failure of the server. The pause doubles with each retry up to a limit, and half
 * of it is random, so that conflicting units do not collide again.
 *
 * @param retries the maximum number of retries after conflicts
 * @param firstPause the pause before the first retry; zero retries at once
 * @param longestPause the maximum pause
 * @param failover how long a unit is retried after failures of the server; zero disables it
 */
public record RetryPolicy(int retries, Duration firstPause, Duration longestPause, Duration failover) {

    /**
     * Checks the values. A time of more than a hundred years counts as a hundred.
     *
     * @param retries the maximum number of retries after conflicts; at least 1 without failover
     * @param firstPause the pause before the first retry
     * @param longestPause the maximum pause
     * @param failover how long a unit is retried after failures of the server
     * @throws IllegalArgumentException if a value is below its minimum, or the maximum pause is shorter than the first
     */
    public RetryPolicy {
        failover = TimeSetting.checked(failover, "failover");
        if (retries < (failover.isZero() ? 1 : 0)) {
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
        return new RetryPolicy(retries, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ZERO);
    }

    /**
     * Returns a policy with other pauses.
     *
     * @param first the pause before the first retry; zero retries at once
     * @param longest the maximum pause
     * @return a policy with these pauses
     */
    public RetryPolicy pauses(Duration first, Duration longest) {
        return new RetryPolicy(retries, first, longest, failover);
    }

    /**
     * Returns a policy that also retries a unit after a failure of the server: the connection was lost before COMMIT was sent,
     * no connection was obtained, or the server accepts no writes ({@code CONNECTION_LOST}, {@code READ_ONLY_SERVER}). These
     * retries are limited by time instead of by number. A unit whose COMMIT is in doubt is never retried.
     *
     * @param limit how long after the first attempt began a unit may be retried; zero disables it
     * @return a policy with this limit
     * @throws IllegalArgumentException if it is negative
     */
    public RetryPolicy failover(Duration limit) {
        return new RetryPolicy(retries, firstPause, longestPause, limit);
    }
}
