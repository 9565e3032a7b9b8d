package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.ParameterException;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.BrokenListener;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The operations of an engine handle, on the fake driver. */
class EngineTest {
    private static final String URL = "r2dbc:fake://ada@host/db";

    private final FakeDriver driver = new FakeDriver();
    private final ReactiveEngineCache cache =
            ReactiveEngineCache.builder().connectionFactory(options -> driver).build();

    @Nested
    class Sql {
        @Test
        void acquiresConnectionForEachExecutionAndReportsToListener() {
            List<String> reported = new CopyOnWriteArrayList<>();
            ReactiveEngineCache observed = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .listener(new SqlListener() {
                        @Override
                        public void finished(SqlExecution execution, long rows, Duration duration) {
                            reported.add(execution.sql() + " " + rows);
                        }
                    })
                    .build();
            driver.answer("select n from t", FakeRow.of("n", 7));

            StepVerifier.create(observed.engine(URL)
                            .sql("select n from t")
                            .map(Integer.class)
                            .one()
                            .repeat(1))
                    .expectNext(7, 7)
                    .verifyComplete();

            assertThat(reported).containsExactly("select n from t 1", "select n from t 1");
            assertThat(observed.engines().get(0).connections().borrowed()).isZero();
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void unboundParameterIsRejectedWithoutOpeningOnceDialectIsKnown() {
            FakeDriver mariadb = new FakeDriver("MariaDB");
            Engine engine = ReactiveEngineCache.builder()
                    .connectionFactory(options -> mariadb)
                    .build()
                    .engine(URL);
            StepVerifier.create(engine.sql("select n from t").update())
                    .expectNextCount(1)
                    .verifyComplete();
            StepVerifier.create(engine.close()).verifyComplete();

            StepVerifier.create(engine.sql("select :n").update()).verifyError(ParameterException.class);

            assertThat(mariadb.createdConnections()).isEqualTo(1);
        }

        @Test
        void unsupportedSessionTimeZoneFailsOpening() {
            StepVerifier.create(cache.engine("r2dbc:mariadb://localhost/shop?timezone=auto")
                            .open())
                    .verifyErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(EngineOpenException.class)
                            .hasMessageContaining("r2dbc:mariadb://localhost")
                            .hasMessageContaining("timezone has the value 'auto', and must be UTC")
                            .hasMessageContaining("leave the option out"));
            assertThat(driver.createdConnections()).isZero();
        }

        @Test
        void discardsLostConnection() {
            driver.on(Call.EXECUTE).times(1).fails(new R2dbcNonTransientResourceException("gone", "08006"));

            StepVerifier.create(cache.engine(URL).sql("update t set n = 1").update())
                    .verifyError(R2dbcNonTransientResourceException.class);

            assertThat(driver.openConnections()).isZero();
            StepVerifier.create(cache.engine(URL).sql("update t set n = 1").update())
                    .expectNext(1L)
                    .verifyComplete();
            assertThat(driver.createdConnections()).isEqualTo(2);
        }
    }

    @Nested
    class ReplaceConnections {
        private final Engine engine = cache.engine(URL + "?maxSize=2");

        private Mono<Connection> acquire() {
            return engine.pool().flatMap(ConnectionPool::create);
        }

        private void release(Connection connection) {
            StepVerifier.create(connection.close()).verifyComplete();
        }

        @Test
        void idleAndAcquiredConnectionsAreNotLentAgain() {
            Connection idle = Objects.requireNonNull(acquire().block());
            Connection borrowed = Objects.requireNonNull(acquire().block());
            release(idle);

            StepVerifier.create(cache.engine(URL).replaceConnections()).verifyComplete();

            release(borrowed);
            assertThat(driver.openConnections()).isOne();
            Connection next = Objects.requireNonNull(acquire().block());
            assertThat(driver.createdConnections()).isEqualTo(3);
            assertThat(driver.openConnections()).isOne();
            release(next);
            release(Objects.requireNonNull(acquire().block()));
            assertThat(driver.createdConnections()).isEqualTo(3);
        }

        @Test
        void initializerReplacesConnectionsOfItsEngine() {
            Engine initialized = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .initializer(Engine::replaceConnections)
                    .build()
                    .engine(URL);

            StepVerifier.create(initialized.ping()).verifyComplete();

            assertThat(driver.createdConnections()).isEqualTo(2);
        }

        @Test
        void doesNotOpenEngine() {
            StepVerifier.create(engine.replaceConnections()).verifyComplete();

            assertThat(cache.engines()).isEmpty();
        }
    }

    /** A release resets the session of the connection. */
    @Nested
    class Release {
        private final ConnectionPool pool =
                Objects.requireNonNull(cache.engine(URL).pool().block());

        @Test
        void discardsConnectionIfRollbackFails() {
            Connection connection = Objects.requireNonNull(pool.create().block());
            StepVerifier.create(connection.createSavepoint("s")).verifyComplete();
            driver.on(Call.ROLLBACK).fails(new R2dbcNonTransientResourceException("gone", "08006"));

            StepVerifier.create(connection.close()).verifyComplete();

            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void discardsConnectionIfRollbackTimesOut() {
            Connection connection = Objects.requireNonNull(pool.create().block());
            StepVerifier.create(connection.createSavepoint("s")).verifyComplete();
            driver.on(Call.ROLLBACK).neverAnswers();

            StepVerifier.withVirtualTime(connection::close)
                    .expectSubscription()
                    .thenAwait(Duration.ofSeconds(10))
                    .verifyComplete();

            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void ofUnchangedConnectionSendsNothing() {
            driver.clear();
            Connection connection = Objects.requireNonNull(pool.create().block());
            StepVerifier.create(connection.close()).verifyComplete();

            assertThat(driver.calls(Call.VALIDATE)).isEmpty();
        }
    }

    @Nested
    class WithoutCache {
        private final AtomicInteger released = new AtomicInteger();
        private final Engine engine = Engine.on(
                new ConnectionSource() {
                    @Override
                    public Mono<Connection> borrow() {
                        return Mono.fromDirect(driver.create());
                    }

                    @Override
                    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
                        released.incrementAndGet();
                        return Mono.fromDirect(connection.close());
                    }

                    @Override
                    public Mono<Connection> openUnpooled() {
                        return borrow();
                    }

                    @Override
                    public Object identity(ContextView context) {
                        return driver;
                    }
                },
                Dialect.POSTGRESQL);

        @Test
        void runsStatementsWithoutACache() {
            StepVerifier.create(
                            engine.open().then(engine.sql("update t set n = 1").update()))
                    .expectNext(1L)
                    .verifyComplete();
            assertThat(released).hasValue(1);
            StepVerifier.create(engine.dialect()).expectNext(Dialect.POSTGRESQL).verifyComplete();
            StepVerifier.create(engine.ping().then(engine.close())).verifyComplete();
            StepVerifier.create(engine.openConnection()).expectNextCount(1).verifyComplete();
        }

        @Test
        void hasNoPool() {
            StepVerifier.create(engine.pool()).verifyError(UnsupportedOperationException.class);
        }
    }

    @Nested
    class CredentialsFunction {
        @Test
        void emptyCredentialsFailConnection() {
            ReactiveEngineCache empty = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .credentials(options -> Mono.empty())
                    .build();

            StepVerifier.create(empty.engine(URL).open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasRootCauseMessage("credentials(…) completed without credentials"));
        }

        @Test
        void dialectIsDerivedFromUrlBeforeFirstConnection() {
            ReactiveEngineCache lazy = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .credentials(options -> Mono.just(new Credentials("ada", "s3cret")))
                    .settings(EngineSettings.builder().connectOnOpen(false).build())
                    .build();

            StepVerifier.create(lazy.engine("r2dbc:mariadb://host/db").dialect().map(Dialect::name))
                    .expectNext("MariaDB")
                    .verifyComplete();
        }

        @Test
        void passwordIsNotPrinted() {
            assertThat(new Credentials("ada", "s3cret")).hasToString("Credentials[user=ada]");
        }
    }

    @Nested
    class Builder {
        @Test
        void rejectsNegativeValues() {
            ReactiveEngineCache.Builder builder = ReactiveEngineCache.builder();

            assertThatThrownBy(() -> builder.maxEngines(-1)).hasMessageContaining("zero means no limit");
            assertThatThrownBy(() -> builder.idleTimeout(Duration.ofSeconds(-1)))
                    .hasMessage("idleTimeout is PT-1S: must not be negative");
            assertThatThrownBy(() -> builder.closeTimeout(Duration.ofSeconds(-1)))
                    .hasMessage("closeTimeout is PT-1S: must not be negative");
        }
    }

    @Nested
    class BadInput {
        private void failsToOpen(String url, String... words) {
            StepVerifier.create(ReactiveEngineCache.create().engine(url).open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .message()
                            .contains(words)
                            .doesNotContain("s3cret"));
        }

        @Test
        void unknownDriverIsNamedWithAdvice() {
            failsToOpen(
                    "r2dbc:nosuch://ada:s3cret@host/db",
                    "r2dbc:nosuch://ada@host/db",
                    "no driver on the class path",
                    "'nosuch' is not a known driver");
        }

        @Test
        @SuppressWarnings("NullAway") // null, as from an unset variable
        void invalidUrlIsExplained() {
            failsToOpen(
                    "r2dbc:postgresql://host/db?user=ada&password=s3cret",
                    "(user is an option after the ?, but belongs before it)");
            failsToOpen("r2dbc:h2:mem:///x?password=s3cret", "password is an option after the ?");
            failsToOpen("", "it is empty: is a setting or a variable missing?");
            failsToOpen(
                    "jdbc:postgresql://ada:s3cret@host/db",
                    "jdbc:postgresql",
                    "this is not an R2DBC URL but a JDBC URL");
            failsToOpen("r2dbc:h2:///shop", "H2 needs a protocol, mem or file", "r2dbc:h2:mem:///shop");
            failsToOpen("r2dbc:h2:file:///target/x", "H2 rejects the text after file:///", "SQLSTATE 90011");
            failsToOpen("r2dbc:h2:mem:///x;MODE=Postgres", "H2 rejects", "SQLSTATE 90088");
            assertThatNullPointerException()
                    .isThrownBy(() -> ReactiveEngineCache.create().engine((String) null))
                    .withMessage("the URL is null: is a setting or a variable missing?");
        }

        @ParameterizedTest
        @ValueSource(strings = {"maxsize", "max-size", "MAX_SIZE"})
        void misspelledSettingIsRejected(String name) {
            failsToOpen("r2dbc:h2:mem:///bad?" + name + "=4", "its setting maxSize is written '" + name + "'");
        }

        @Test
        void missingOptionIsNamed() {
            failsToOpen("r2dbc:postgresql://localhost/shop", "no user is named", "user:password@ before the host");
        }

        @Test
        void invalidUrlIsAnErrorSignal() {
            failsToOpen("r2dbc:postgresql:ada:s3cret@host", "this is not an R2DBC URL", "r2dbc:driver[:protocol]://");
        }

        @Test
        void invalidSettingIsNamedWithItsValue() {
            failsToOpen("r2dbc:h2:mem:///bad?maxSize=none", "r2dbc:h2:mem:///bad", "maxSize is 'none'");
        }

        @Test
        void throwingSettingsFailOpening() {
            ReactiveEngineCache broken = ReactiveEngineCache.builder()
                    .settings(options -> {
                        throw new IllegalStateException("no settings today");
                    })
                    .build();

            StepVerifier.create(broken.engine(URL).open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasRootCauseMessage("no settings today"));
        }
    }

    @Nested
    class Listener {
        @Test
        void failureIsLoggedAndIgnored() {
            ReactiveEngineCache observed = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .listener(new EngineListener() {
                        @Override
                        public void opened(String url, Duration duration) {
                            throw new AssertionError("broken listener");
                        }
                    })
                    .build();
            try (CapturedLogs logs = CapturedLogs.of(ReactiveEngineCache.class)) {
                StepVerifier.create(observed.engine(URL).ping()).verifyComplete();

                assertThat(logs.lines()).containsExactly("WARN The engine listener failed");
            }
        }

        @Test
        void failureForAcquisitionIsLoggedAndIgnored() {
            ReactiveEngineCache observed = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .listener(new EngineListener() {
                        @Override
                        public AcquisitionListener borrowing(String url, ContextView context) {
                            if (context.hasKey("none")) {
                                throw new AssertionError("broken listener");
                            }
                            return BrokenListener.of(AcquisitionListener.class);
                        }
                    })
                    .build();
            try (CapturedLogs logs = CapturedLogs.of(ReactiveEngineCache.class)) {
                Mono<Void> ping = observed.engine(URL).ping();
                StepVerifier.create(ping.then(ping.contextWrite(context -> context.put("none", true))))
                        .verifyComplete();

                assertThat(logs.lines())
                        .containsExactly(
                                "WARN The acquisition listener failed",
                                "WARN The acquisition listener failed",
                                "WARN The engine listener failed");
            }
        }

        @Test
        void defaultLogsEventsThatNoSubscriberSees() {
            EngineListener silent = EngineListener.DEFAULT;
            try (CapturedLogs logs = CapturedLogs.of(EngineListener.class)) {
                silent.opened(URL, Duration.ZERO);
                silent.openFailed(URL, new IllegalStateException("reported"));
                silent.evicted(URL);
                silent.closed(URL);
                assertThat(logs.lines()).isEmpty();

                silent.settingsIgnored(URL, Set.of("maxSize"));
                silent.databaseLost(URL);
                silent.transactionLeftOpen(URL);
                silent.connectionsNotReturned(URL, 2);
                silent.openingNotAwaited(URL);
                silent.closeFailed(URL, new IllegalStateException("s3cret"));
                assertThat(logs.lines())
                        .hasSize(6)
                        .allMatch(line -> line.startsWith("WARN " + URL))
                        .noneMatch(line -> line.contains("s3cret"));
            }
        }
    }

    @Test
    void identityIsSharedByHandlesOfOneEngine() {
        assertThat(new PoolLookup(cache, () -> EngineUrl.parse(URL, "")).identity())
                .isEqualTo(new PoolLookup(cache, () -> EngineUrl.parse(URL + "?maxSize=4", "")).identity())
                .isNotEqualTo(new PoolLookup(cache, () -> EngineUrl.parse(URL + "2", "")).identity());
        assertThat(new PoolSource(Mono.empty(), context -> "tenant " + context.get("tenant"))
                        .identity(Context.of("tenant", 1)))
                .isEqualTo("tenant 1");
    }
}
