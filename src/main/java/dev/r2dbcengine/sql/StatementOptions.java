package dev.r2dbcengine.sql;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a statement.
 *
 * @param fetchSize zero: the driver's default
 * @param timeout zero: no limit
 * @param graceTime how long the statement may run after a cancel; zero: cancelled at once
 * @param returning the columns to return; null: none
 */
record StatementOptions(
        int fetchSize,
        Duration timeout,
        Duration graceTime,
        @Nullable List<String> returning) {

    static final StatementOptions NONE = new StatementOptions(0, Duration.ZERO, StatementLimits.GRACE, null);
}
