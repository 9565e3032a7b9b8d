package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.ContextView;

/** A source that emits no connection, or emits it after the subscriber has cancelled. */
class ConnectionAcquisitionTest {
    private final R2dbcTimeoutException poolExhausted = new R2dbcTimeoutException("pool exhausted");
    private final FakeDriver driver = new FakeDriver();
    private final Source source = new Source();
    private final UnitOfWork units = UnitOfWork.on(
            source,
            Mono.just(Dialect.H2),
            () -> "fake",
            SqlListener.NONE,
            new WorkListener() {},
            BoundConnections.NONE);

    private Mono<Long> unit() {
        return units.name("outer").execute(work -> work.sql("a").update());
    }

    private Mono<Connection> connection() {
        return Mono.from(driver.create());
    }

    private List<String> calls() {
        return driver.calls(Call.CREATE, Call.VALIDATE);
    }

    private static Mono<Connection> throwing(RuntimeException e) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Connection> actual) {
                throw e;
            }
        };
    }

    static Stream<Named<Function<RuntimeException, Mono<Connection>>>> failingSources() {
        return Stream.of(Named.of("fails", Mono::error), Named.of("throws", ConnectionAcquisitionTest::throwing));
    }

    @ParameterizedTest
    @MethodSource("failingSources")
    void failedAcquisitionFailsUnitWithSourceError(Function<RuntimeException, Mono<Connection>> connection) {
        source.connection = connection.apply(poolExhausted);

        StepVerifier.create(unit())
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(poolExhausted))
                .verify();
        assertThat(source.released).isEmpty();
    }

    @Test
    void emptySourceIsReported() {
        source.connection = Mono.empty();

        StepVerifier.create(unit())
                .verifyErrorMessage(
                        "The connection source completed without a connection: its borrow() has to emit one, or to fail");
    }

    @Test
    void bodyMayRetryAfterFailedAcquisition() {
        source.connection = Mono.error(poolExhausted);

        StepVerifier.create(units.execute(work -> work.sql("a").update().onErrorResume(e -> {
                    source.connection = connection();
                    return work.sql("b").update();
                })))
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls()).containsExactly("1 begin", "1 execute b", "1 commit");
        assertThat(source.released).containsExactly(Outcome.KEEP);
    }

    private Mono<Long> requiresNewUnit(RuntimeException secondFailure) {
        source.connection = connection();
        return units.execute(work -> work.sql("a").update().then(Mono.defer(() -> {
            source.connection = Mono.error(secondFailure);
            return units.propagation(Propagation.REQUIRES_NEW)
                    .name("inner")
                    .execute(second -> second.sql("b").update());
        })));
    }

    @Test
    void requiresNewOnExhaustedPoolExplainsFailure() {
        StepVerifier.create(requiresNewUnit(poolExhausted))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .hasMessageStartingWith("inner runs within another unit of work and needs a second connection")
                        .hasCause(poolExhausted))
                .verify();
        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 rollback");
    }

    @Test
    void requiresNewPassesOtherSourceErrorsOn() {
        IllegalStateException broken = new IllegalStateException("broken");

        StepVerifier.create(requiresNewUnit(broken))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(broken))
                .verify();
    }

    @Test
    void cancelWhileWaitingCancelsAcquisition() {
        TestPublisher<Connection> late = TestPublisher.create();
        source.connection = late.mono();

        Disposable waiting = unit().subscribe();
        late.assertWasSubscribed();
        waiting.dispose();

        late.assertCancelled();
        assertThat(calls()).isEmpty();
    }

    @Test
    void cancelBeforeOnSubscribeCancelsAcquisition() {
        AtomicBoolean cancelled = new AtomicBoolean();
        List<CoreSubscriber<? super Connection>> slow = new ArrayList<>();
        source.connection = new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Connection> actual) {
                slow.add(actual);
            }
        };

        unit().subscribe().dispose();
        slow.get(0).onSubscribe(new Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {
                cancelled.set(true);
            }
        });

        assertThat(cancelled).isTrue();
    }

    @Test
    void connectionArrivingAfterCancelIsReleasedUnused() {
        TestPublisher<Connection> late = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        source.connection = late.mono();
        Connection connection = Objects.requireNonNull(connection().block());

        unit().subscribe().dispose();
        late.emit(connection);

        assertThat(source.released).containsExactly(Outcome.KEEP);
        assertThat(calls()).isEmpty();
    }

    private static final class Source implements ConnectionSource {
        private final List<Outcome> released = new ArrayList<>();
        private @Nullable Mono<Connection> connection;

        @Override
        public Mono<Connection> borrow() {
            return Mono.defer(() -> Objects.requireNonNull(connection));
        }

        @Override
        public Mono<Void> giveBack(Connection connection, Outcome outcome) {
            return Mono.fromRunnable(() -> released.add(outcome));
        }

        @Override
        public Mono<Connection> openUnpooled() {
            return Mono.error(new UnsupportedOperationException());
        }

        @Override
        public Object identity(ContextView context) {
            return this;
        }
    }
}
