package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** What a plan gives on a connection: rows or a count. Like its plan, it serves one execution. */
final class Reading<T> extends Flux<T> implements Function<Connection, Publisher<T>> {

    private final Plan plan;
    private final ResultReader.Factory<T> reader;
    private @Nullable Connection connection;

    Reading(Plan plan, ResultReader.Factory<T> reader) {
        this.plan = plan;
        this.reader = reader;
    }

    @Override
    public Flux<T> apply(Connection borrowed) {
        connection = borrowed;
        return plan.options().timeout().isZero() ? this : Limits.limit(plan, borrowed, this);
    }

    /* For rows that are asked for bit by bit, also where the driver does not know how. */
    Flux<T> buffered(Connection borrowed) {
        Flux<T> rows = apply(borrowed);
        return plan.execution().dialect().has(Feature.BACKPRESSURE) ? rows : rows.onBackpressureBuffer();
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        plan.execution().started();
        ResultReader<T> subscriber = reader.of(actual, plan.execution());
        try {
            plan.execute(Objects.requireNonNull(connection)).subscribe(subscriber);
        } catch (Throwable e) {
            subscriber.fail(e);
        }
    }
}
