package dev.r2dbcengine.testing;

import java.util.function.IntFunction;
import java.util.function.Predicate;

/** The answer of the {@link FakeDriver} to a statement: rows, created as they are requested, and an update count. */
public final class FakeAnswer {
    static final int NO_COUNT = -1;
    static final FakeAnswer DEFAULT = updating(any -> true, 1);

    private final Predicate<String> sql;
    private final Uses uses = new Uses();
    private final int size;
    private final IntFunction<FakeRow> rows;
    private final long updated;

    FakeAnswer(Predicate<String> sql, int size, IntFunction<FakeRow> rows, long updated) {
        this.sql = sql;
        this.size = size;
        this.rows = rows;
        this.updated = updated;
    }

    static FakeAnswer updating(Predicate<String> sql, long updated) {
        return new FakeAnswer(sql, 0, index -> FakeRow.of(), updated);
    }

    /** Limits the answer to the first executions. */
    public FakeAnswer times(int executions) {
        uses.limit(executions);
        return this;
    }

    boolean matches(String statement) {
        return sql.test(statement) && uses.take();
    }

    int size() {
        return size;
    }

    FakeRow row(int index) {
        return rows.apply(index);
    }

    /** The update count, or {@link #NO_COUNT}. */
    long updated() {
        return updated;
    }
}
