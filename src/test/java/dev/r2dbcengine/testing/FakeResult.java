package dev.r2dbcengine.testing;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;

/**
 * A result of the {@link FakeDriver}: rows, then an update count. A filtered result is the same result and is read
 * once.
 */
final class FakeResult implements Result {
    private final FakeDriver driver;
    private final FakeConnection connection;
    private final FakeUse use;
    private final String sql;
    private final FakeAnswer answer;
    private final AtomicBoolean read;

    FakeResult(FakeDriver driver, FakeConnection connection, FakeUse use, String sql, FakeAnswer answer) {
        this(driver, connection, use, sql, answer, new AtomicBoolean());
    }

    private FakeResult(
            FakeDriver driver,
            FakeConnection connection,
            FakeUse use,
            String sql,
            FakeAnswer answer,
            AtomicBoolean read) {
        this.driver = driver;
        this.connection = connection;
        this.use = use;
        this.sql = sql;
        this.answer = answer;
        this.read = read;
    }

    @Override
    public Publisher<Long> getRowsUpdated() {
        return publisher(() -> new FakeValues<>(counts(), index -> answer.updated()), false);
    }

    @Override
    public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapper) {
        return rows(row -> mapper.apply(row, row));
    }

    @Override
    public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapper) {
        return rows(mapper);
    }

    private <T> Publisher<T> rows(Function<? super FakeRow, ? extends T> mapper) {
        driver.throwIfConfigured(Call.ROWS, sql);
        return publisher(() -> new FakeValues<T>(answer.size(), index -> mapped(index, mapper)), true);
    }

    private <T> T mapped(int index, Function<? super FakeRow, ? extends T> mapper) {
        driver.log().rowEmitted();
        T value = mapper.apply(answer.row(index));
        if (value == null) {
            throw new IllegalStateException("The mapper returned null for row " + index + " of " + sql);
        }
        return value;
    }

    @Override
    public Result filter(Predicate<Segment> filter) {
        List<FakeRow> rows = IntStream.range(0, answer.size())
                .mapToObj(answer::row)
                .filter(row -> filter.test(segment(row)))
                .toList();
        boolean counted = counts() == 1 && filter.test(count());
        long updated = counted ? answer.updated() : FakeAnswer.NO_COUNT;
        FakeAnswer filtered = new FakeAnswer(any -> true, rows.size(), rows::get, updated);
        return new FakeResult(driver, connection, use, sql, filtered, read);
    }

    @Override
    public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapper) {
        return Flux.from(publisher(this::segments, false)).concatMap(mapper, 0);
    }

    private Iterator<Segment> segments() {
        int rows = answer.size();
        return new FakeValues<>(rows + counts(), index -> index < rows ? segment(answer.row(index)) : count());
    }

    private int counts() {
        return answer.updated() == FakeAnswer.NO_COUNT ? 0 : 1;
    }

    private UpdateCount count() {
        return answer::updated;
    }

    private static RowSegment segment(FakeRow row) {
        return () -> row;
    }

    private <T> Publisher<T> publisher(Supplier<Iterator<T>> values, boolean rows) {
        return subscriber -> new Reading<>(subscriber, values, rows).start();
    }

    private final class Reading<T> extends FakeExchange<T> {
        private final Supplier<Iterator<T>> values;
        private final boolean rows;
        private boolean first;

        Reading(Subscriber<? super T> subscriber, Supplier<Iterator<T>> values, boolean rows) {
            super(driver, subscriber, Call.ROWS, connection.number(), sql);
            this.values = values;
            this.rows = rows;
        }

        @Override
        @Nullable Throwable begin() {
            first = read.compareAndSet(false, true);
            if (!first) {
                connection.violated("reads the result of " + use.text() + " twice");
                return new IllegalStateException("A result can be read once");
            }
            use.resultRead();
            use.began(this);
            return connection.read(use);
        }

        @Override
        Iterator<T> answer() {
            return values.get();
        }

        @Override
        void onRequest(long count) {
            if (rows) {
                driver.log().rowsRequested(count);
            }
        }

        @Override
        void ended(End end) {
            if (first) {
                use.ended(this);
            }
        }
    }
}
