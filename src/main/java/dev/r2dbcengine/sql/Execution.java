package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * One execution of a statement: its text and values, the function that a {@link ConnectionSource} applies to the
 * connection, and the publisher of the results. One object plays all three parts to save allocations.
 */
class Execution<T> extends Flux<T> implements SqlExecution, Function<Connection, Publisher<T>> {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Execution> TERMINATED =
            AtomicIntegerFieldUpdater.newUpdater(Execution.class, "terminated");

    private static final Logger LOG = Loggers.getLogger(SqlStatement.class);

    private final SqlStatement statement;
    private final DriverSql text;
    private final @Nullable Object[] values;
    private final ResultReader.Factory<T> reader;
    private ContextView context;
    private @Nullable Connection connection;
    private long startedAt;
    private boolean buffered;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int terminated;

    Execution(
            SqlStatement statement,
            ParsedSql parsed,
            @Nullable Object[] values,
            ResultReader.Factory<T> reader,
            ContextView context) {
        this.statement = statement;
        this.text = parsed.driverSql(values, statement.options().returning());
        this.values = values;
        this.reader = reader;
        this.context = context;
    }

    @Override
    public final String sql() {
        return statement.sql();
    }

    @Override
    public final Dialect dialect() {
        return text.dialect();
    }

    @Override
    public final ContextView context() {
        return context;
    }

    final Duration timeout() {
        return statement.options().timeout();
    }

    /* Asks the database to cancel the statement: true if the request has been accepted, false if there is none. */
    final Mono<Boolean> cancelRequest(Connection running) {
        return StatementEnd.ask(running, dialect(), statement.source());
    }

    final StatementTimeoutException timedOut(boolean closed, @Nullable Throwable cause) {
        return new StatementTimeoutException(timeout(), closed, sql(), cause);
    }

    final Duration graceTime() {
        return statement.options().graceTime();
    }

    /* Buffers rows if the driver does not support backpressure. */
    final Execution<T> streamed() {
        buffered = !dialect().has(Feature.BACKPRESSURE);
        return this;
    }

    @Override
    public final Flux<T> apply(Connection borrowed) {
        connection = borrowed;
        Flux<T> results = timeout().isZero() ? this : StatementLimits.limit(this, borrowed);
        return buffered ? results.onBackpressureBuffer() : results;
    }

    @Override
    public final void subscribe(CoreSubscriber<? super T> actual) {
        started();
        ResultReader<T> results = reader.of(actual, this);
        try {
            send(Objects.requireNonNull(connection)).subscribe(results);
        } catch (Throwable e) {
            results.fail(e);
        }
    }

    Publisher<? extends Result> send(Connection borrowed) {
        Statement prepared = prepare(borrowed, text);
        text.bind(prepared, values);
        return prepared.execute();
    }

    /* Creates the driver's statement, without values. */
    final Statement prepare(Connection borrowed, DriverSql sql) {
        StatementOptions options = statement.options();
        Statement prepared = borrowed.createStatement(
                options.timeout().isZero()
                        ? sql.text()
                        : dialect().timeLimit(options.timeout()).prefix() + sql.text());
        if (options.fetchSize() > 0) {
            prepared.fetchSize(options.fetchSize());
        }
        List<String> returning = options.returning();
        if (returning != null) {
            prepared.returnGeneratedValues(dialect().returned(returning));
        }
        return prepared;
    }

    final DriverSql driverSql() {
        return text;
    }

    final BatchMode batchMode() {
        return statement.options().batchMode();
    }

    final boolean isReturning() {
        return statement.options().returning() != null;
    }

    /* Called when a result has been read to its end. */
    void resultRead() {}

    private SqlListener listener() {
        return statement.runner().listener();
    }

    private void started() {
        if (listener() != SqlListener.NONE) {
            terminated = 0;
            startedAt = System.nanoTime();
            notifyListener(listener ->
                    context = Objects.requireNonNull(listener.entering(this), "The Context of a statement"));
            notifyListener(listener -> listener.started(this));
        }
    }

    final void finished(long rows) {
        if (isFirstTermination()) {
            notifyListener(listener -> listener.finished(this, rows, sinceStart()));
        }
    }

    final void failed(Throwable failure) {
        if (isFirstTermination()) {
            notifyListener(listener -> listener.failed(this, failure, sinceStart()));
        }
    }

    final void cancelled() {
        notifyListener(listener -> listener.cancelled(this));
    }

    private void notifyListener(Consumer<SqlListener> event) {
        try {
            event.accept(listener());
        } catch (Throwable e) {
            LOG.warn("The SQL listener failed", e);
        }
    }

    private boolean isFirstTermination() {
        return listener() != SqlListener.NONE && TERMINATED.getAndSet(this, 1) == 0;
    }

    private Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    @Override
    public final String toString() {
        return sql();
    }
}
