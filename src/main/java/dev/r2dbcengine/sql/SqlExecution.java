package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import java.time.Duration;
import reactor.util.context.ContextView;

/** One execution of a statement. Equal only to itself. */
public final class SqlExecution {

    private final String sql;
    private final Dialect dialect;
    private final SqlListener listener;
    private final ContextView context;
    private long began;

    SqlExecution(String sql, Dialect dialect, SqlListener listener, ContextView context) {
        this.sql = sql;
        this.dialect = dialect;
        this.listener = listener;
        this.context = context;
    }

    /**
     * The statement.
     *
     * @return its text as it was written, with the names of its parameters
     */
    public String sql() {
        return sql;
    }

    /**
     * The dialect in which it is sent.
     *
     * @return the dialect
     */
    public Dialect dialect() {
        return dialect;
    }

    /**
     * The Context of the subscriber.
     *
     * @return the Context
     */
    public ContextView context() {
        return context;
    }

    void started() {
        began = System.nanoTime();
        listener.started(this);
    }

    void finished(long rows) {
        listener.finished(this, rows, elapsed());
    }

    void failed(Throwable failure) {
        listener.failed(this, failure, elapsed());
    }

    void cancelled() {
        listener.cancelled(this);
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    @Override
    public String toString() {
        return sql;
    }
}
