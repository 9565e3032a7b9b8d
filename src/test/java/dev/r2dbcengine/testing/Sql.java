package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Statements on their own connection, with plain SPI calls. */
public final class Sql {
    private Sql() {}

    /** Runs a statement; completes when the connection is closed. */
    public static Mono<Void> execute(ConnectionFactory factory, String sql) {
        return use(factory, sql, Result::getRowsUpdated).then();
    }

    /** Returns the single value of a query. */
    public static Mono<Long> number(ConnectionFactory factory, String sql) {
        return use(
                factory, sql, result -> result.map(row -> ((Number) Objects.requireNonNull(row.get(0))).longValue()));
    }

    private static <T> Mono<T> use(ConnectionFactory factory, String sql, Function<Result, Publisher<T>> read) {
        return Flux.usingWhen(
                        Mono.fromDirect(factory.create()),
                        connection -> Flux.from(connection.createStatement(sql).execute())
                                .concatMap(read),
                        Connection::close)
                .singleOrEmpty();
    }
}
