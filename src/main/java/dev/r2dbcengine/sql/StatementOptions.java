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
 * @param batchMode how a batch sends its items
 */
record StatementOptions(
        int fetchSize,
        Duration timeout,
        Duration graceTime,
        @Nullable List<String> returning,
        BatchMode batchMode) {

    static final StatementOptions NONE =
            new StatementOptions(0, Duration.ZERO, StatementLimits.GRACE, null, BatchMode.AUTOMATIC);

    StatementOptions withFetchSize(int rows) {
        return new StatementOptions(rows, timeout, graceTime, returning, batchMode);
    }

    StatementOptions withTimeout(Duration limit) {
        return new StatementOptions(fetchSize, limit, graceTime, returning, batchMode);
    }

    StatementOptions withGraceTime(Duration time) {
        return new StatementOptions(fetchSize, timeout, time, returning, batchMode);
    }

    StatementOptions withReturning(List<String> columns) {
        return new StatementOptions(fetchSize, timeout, graceTime, columns, batchMode);
    }

    StatementOptions withBatchMode(BatchMode mode) {
        return new StatementOptions(fetchSize, timeout, graceTime, returning, mode);
    }
}
