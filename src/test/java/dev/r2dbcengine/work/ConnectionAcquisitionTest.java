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

/** A source that lends nothing, too late, or to somebody who has left. */
class ConnectionAcquisitionTest {
    private final R2dbcTimeoutException noneLeft = new R2dbcTimeoutException("none left");
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

    static Stream<Named<Function<RuntimeException, Mono<Connection>>>> sourcesThatLendNothing() {
        return Stream.of(Named.of("fails", Mono::error), Named.of("throws", ConnectionAcquisitionTest::throwing));
    }

    @ParameterizedTest
    @MethodSource("sourcesThatLendNothing")
    void aUnitThatGetsNoConnectionFailsAsItsSourceDoes(Function<RuntimeException, Mono<Connection>> nothing) {
        source.lends = nothing.apply(noneLeft);

        StepVerifier.create(unit())
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(noneLeft))
                .verify();
        assertThat(source.returns).isEmpty();
    }

    @Test
    void aSourceThatIsEmptyIsNamed() {
        source.lends = Mono.empty();

        StepVerifier.create(unit())
                .verifyErrorMessage(
                        "The connection source completed without a connection: its borrow() has to emit one, or to fail");
    }

    @Test
    void aBodyMayTryAgain() {
        source.lends = Mono.error(noneLeft);

        StepVerifier.create(units.execute(work -> work.sql("a").update().onErrorResume(e -> {
                    source.lends = connection();
                    return work.sql("b").update();
                })))
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls()).containsExactly("1 begin", "1 execute b", "1 commit");
        assertThat(source.returns).containsExactly(Outcome.KEEP);
    }

    private Mono<Long> unitInAnother(RuntimeException secondFails) {
        source.lends = connection();
        return units.execute(work -> work.sql("a").update().then(Mono.defer(() -> {
            source.lends = Mono.error(secondFails);
            return units.propagation(Propagation.REQUIRES_NEW)
                    .name("inner")
                    .execute(second -> second.sql("b").update());
        })));
    }

    @Test
    void aUnitInAnotherThatFindsThePoolEmptySaysWhatToRaise() {
        StepVerifier.create(unitInAnother(noneLeft))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .hasMessageStartingWith("inner runs within another unit of work and needs a second connection")
                        .hasCause(noneLeft))
                .verify();
        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 rollback");
    }

    @Test
    void aUnitInAnotherFailsAsItsSourceDoesWhereThePoolIsNotEmpty() {
        IllegalStateException broken = new IllegalStateException("broken");

        StepVerifier.create(unitInAnother(broken))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(broken))
                .verify();
    }

    @Test
    void whoLeavesWhileItWaitsTakesItsRequestBack() {
        TestPublisher<Connection> late = TestPublisher.create();
        source.lends = late.mono();

        Disposable waiting = unit().subscribe();
        late.assertWasSubscribed();
        waiting.dispose();

        late.assertCancelled();
        assertThat(calls()).isEmpty();
    }

    @Test
    void whoHasLeftBeforeItsRequestIsTakenTakesItBackThen() {
        AtomicBoolean cancelled = new AtomicBoolean();
        List<CoreSubscriber<? super Connection>> slow = new ArrayList<>();
        source.lends = new Mono<>() {
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
    void aConnectionThatComesAfterwardsGoesBackUnused() {
        TestPublisher<Connection> late = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        source.lends = late.mono();
        Connection connection = Objects.requireNonNull(connection().block());

        unit().subscribe().dispose();
        late.emit(connection);

        assertThat(source.returns).containsExactly(Outcome.KEEP);
        assertThat(calls()).isEmpty();
    }

    private static final class Source implements ConnectionSource {
        private final List<Outcome> returns = new ArrayList<>();
        private @Nullable Mono<Connection> lends;

        @Override
        public Mono<Connection> borrow() {
            return Mono.defer(() -> Objects.requireNonNull(lends));
        }

        @Override
        public Mono<Void> giveBack(Connection connection, Outcome outcome) {
            return Mono.fromRunnable(() -> returns.add(outcome));
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
