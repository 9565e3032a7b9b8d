package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** What a plan gives on a connection: rows or a count. */
final class Reading<T> extends Flux<T> {

    private final Plan plan;
    private final Connection connection;
    private final Function<CoreSubscriber<? super T>, ResultReader<T>> reader;

    private Reading(Plan plan, Connection connection, Function<CoreSubscriber<? super T>, ResultReader<T>> reader) {
        this.plan = plan;
        this.connection = connection;
        this.reader = reader;
    }

    static Publisher<Long> count(Plan plan, Connection connection) {
        return limited(plan, connection, new Reading<>(plan, connection, actual -> {
            CountReader reader = new CountReader(actual, plan.execution());
            reader.readAll();
            return reader;
        }));
    }

    static <T> Publisher<T> one(Plan plan, Connection connection, RowMapper<? extends T> mapper, RowReader.Mode mode) {
        return limited(plan, connection, new Reading<>(plan, connection, actual -> {
            RowReader<T> reader = new RowReader<>(actual, plan.execution(), mapper, mode);
            reader.readAll();
            return reader;
        }));
    }

    static <T> Publisher<T> all(Plan plan, Connection connection, RowMapper<? extends T> mapper) {
        Flux<T> rows = limited(
                plan,
                connection,
                new Reading<>(
                        plan,
                        connection,
                        actual -> new RowReader<>(actual, plan.execution(), mapper, RowReader.Mode.ALL)));
        return plan.execution().dialect().has(Feature.BACKPRESSURE) ? rows : rows.onBackpressureBuffer();
    }

    private static <T> Flux<T> limited(Plan plan, Connection connection, Flux<T> reading) {
        return plan.options().timeout().isZero() ? reading : Limits.limit(plan, connection, reading);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        plan.execution().started();
        ResultReader<T> subscriber = reader.apply(actual);
        try {
            plan.execute(connection).subscribe(subscriber);
        } catch (Throwable e) {
            subscriber.fail(e);
        }
    }
}
