package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Results that are read one after the other, some of which arrive before they are requested. */
class ResultReaderTest {
    private static final String SQL = "update t set a = 1";

    private final RecordingListener listener = new RecordingListener();
    private final Execution<Long> execution = new Execution<>(
            SqlRunner.of(Dialect.H2, listener).statement(new FactorySource(new FakeDriver()), SQL),
            new ParsedSql(Dialect.H2, SQL),
            new Object[0],
            CountReader.FACTORY,
            Context.empty());

    private Flux<Long> read(Flux<Result> results) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Long> actual) {
                results.subscribe(new CountReader(actual, execution));
            }
        };
    }

    @Test
    void immediateResultsAreRead() {
        StepVerifier.create(read(Flux.just(
                        new Counted(Mono.just(1L)),
                        new Counted(Mono.empty()),
                        new Counted(Flux.just(2L, 3L)),
                        new Counted(Mono.just(4L)))))
                .expectNext(10L)
                .verifyComplete();
        assertThat(listener.events()).containsExactly("finished " + SQL + " 10");
    }

    @Test
    void immediateFailureEndsStatement() {
        IllegalStateException broken = new IllegalStateException("broken");
        AtomicBoolean cancelled = new AtomicBoolean();
        Flux<Result> results = Flux.<Result>just(new Counted(Mono.just(1L)), new Counted(Mono.error(broken)))
                .concatWith(Mono.never())
                .doOnCancel(() -> cancelled.set(true));

        StepVerifier.create(read(results))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(broken))
                .verify();
        assertThat(cancelled).isTrue();
        assertThat(listener.events()).containsExactly("failed " + SQL + " IllegalStateException");
    }

    private record Counted(Publisher<Long> counts) implements Result {

        @Override
        public Publisher<Long> getRowsUpdated() {
            return counts;
        }

        @Override
        public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapper) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapper) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Result filter(Predicate<Segment> filter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapper) {
            throw new UnsupportedOperationException();
        }
    }
}
