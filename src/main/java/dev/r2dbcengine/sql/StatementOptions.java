package dev.r2dbcengine.sql;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is sent.
 *
 * @param fetchSize zero: as the driver does
 * @param timeout zero: none
 * @param graceTime how long it may go on after a cancel; zero: not at all
 * @param returning the columns to return, null: none
 */
record StatementOptions(
        int fetchSize,
        Duration timeout,
        Duration graceTime,
        @Nullable List<String> returning) {

    static final StatementOptions NONE = new StatementOptions(0, Duration.ZERO, StatementLimits.GRACE, null);
}
