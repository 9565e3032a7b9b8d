package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.sql.RowMapper;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.RetryPolicy;
import dev.r2dbcengine.work.UnitOfWork;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Misbehaving application code never hangs a subscriber and never leaks one of the two pooled connections. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UserCodeContract {
    static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofMillis(60);
    private static final int POOL = 2;
    private static final String INSERT = "insert into t values (1)";
    private static final String NUMBERS = "select 1 union all select 2 union all select 3";

    private final Set<Conduct> conducts;
    private final TestDatabase database;
    private final ReactiveEngineCache cache = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().maxSize(POOL).build())
            .build();
    final Engine engine;

    UserCodeContract(Server server, Set<Conduct> conducts) {
        this.conducts = conducts;
        this.database = TestDatabase.fresh(server).keepAlive();
        this.engine = cache.engine(database.url());
    }

    /** Returns the most critical behaviors, for slower databases. */
    static Set<Conduct> sharpest() {
        return EnumSet.of(
                Conduct.RETURNS_NULL,
                Conduct.LACKS_A_CLASS,
                Conduct.OVERFLOWS_THE_STACK,
                Conduct.THROWS_AT_SUBSCRIPTION,
                Conduct.NEVER_COMPLETES,
                Conduct.COMPLETES_TWICE);
    }

    /** A use of the library that calls application code in one place. */
    private interface Use {
        Publisher<?> of(Engine engine, Conduct conduct);
    }

    enum Place {
        MAPPER_OF_ONE_ROW((engine, conduct) ->
                engine.sql("select 1").map((row, metadata) -> conduct.value(1)).one()),
        MAPPER_OF_FIRST_ROW((engine, conduct) ->
                engine.sql(NUMBERS).map((row, metadata) -> conduct.value(1)).first()),
        MAPPER_OF_ALL_ROWS((engine, conduct) ->
                engine.sql(NUMBERS).map((row, metadata) -> conduct.value(1)).all()),
        MAPPER_FOR_A_RESULT((engine, conduct) ->
                engine.sql(NUMBERS).map(new Specialized(conduct)).all()),
        MAPPER_IN_A_UNIT((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql(NUMBERS)
                        .map((row, metadata) -> conduct.value(1))
                        .all()
                        .then(Mono.just(1)))),
        BINDER((engine, conduct) -> engine.sql("insert into t values (:n)")
                .batch(List.of(1, 2, 3), (bindings, item) -> {
                    conduct.run();
                    bindings.bind("n", item);
                })),
        ITEMS((engine, conduct) -> engine.sql("insert into t values (:n)")
                .batch(misbehaving(conduct, Flux.just(1, 2, 3)), (bindings, item) -> bindings.bind("n", item))),
        BODY((engine, conduct) -> unit(engine, conduct)
                .execute(work -> conduct.mono(work.sql(INSERT).update()))),
        BODY_OF_A_STREAM((engine, conduct) -> unit(engine, conduct).stream(
                work -> conduct.publisher(work.sql(INSERT).update()))),
        BODY_WITH_RETRIES((engine, conduct) -> unit(engine, conduct)
                .retry(RetryPolicy.times(2))
                .execute(work -> conduct.mono(work.sql(INSERT).update()))),
        BODY_THAT_JOINS((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql(INSERT)
                        .update()
                        .then(engine.unitOfWork()
                                .execute(joined ->
                                        conduct.mono(joined.sql(INSERT).update()))))),
        BODY_OF_A_SAVEPOINT((engine, conduct) -> unit(engine, conduct)
                .execute(work ->
                        work.savepoint(inner -> inner.sql(INSERT).update().then(conduct.mono(Mono.just(1)))))),
        SUBSCRIBER_OF_A_VALUE((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql("select 1").map(Integer.class).one().flatMap(one -> {
                    conduct.run();
                    return conduct.mono(Mono.just(one));
                }))),
        SUBSCRIBER_OF_ROWS((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql(NUMBERS)
                        .map(Integer.class)
                        .all()
                        .concatMap(one -> conduct.publisher(work.sql(INSERT).update()))
                        .then(Mono.just(1)))),
        SUBSCRIBER_OF_AN_END((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql(INSERT).update().then(Mono.fromCallable(() -> conduct.value(1))))),
        SUBSCRIBER_OUTSIDE_OF_A_UNIT((engine, conduct) -> engine.sql(NUMBERS)
                .map(Integer.class)
                .all()
                .map(one -> {
                    conduct.run();
                    return one;
                })),
        ON_BEGIN((engine, conduct) -> unit(engine, conduct)
                .onBegin(work -> conduct.publisher(work.sql(INSERT).update()))
                .execute(work -> work.sql(INSERT).update())),
        BEFORE_COMMIT((engine, conduct) -> unit(engine, conduct).execute(work -> {
            work.beforeCommit(conduct.mono(work.sql(INSERT).update().then()));
            return work.sql(INSERT).update();
        })),
        AFTER_COMMIT(
                false,
                (engine, conduct) -> unit(engine, conduct).execute(work -> {
                    Mono<Void> action =
                            conduct.throwsAtOnce() ? Mono.fromRunnable(conduct::run) : conduct.mono(Mono.empty());
                    work.afterCommit(action);
                    return work.sql(INSERT).update();
                })),
        AFTER_ROLLBACK(
                false,
                (engine, conduct) -> unit(engine, conduct).alwaysRollback().execute(work -> {
                    Mono<Void> action =
                            conduct.throwsAtOnce() ? Mono.fromRunnable(conduct::run) : conduct.mono(Mono.empty());
                    work.afterRollback(action);
                    return work.sql(INSERT).update();
                })),
        ROLLBACK_ON(
                false,
                (engine, conduct) -> unit(engine, conduct)
                        .rollbackOn(failure -> Objects.requireNonNull(conduct.value(true)))
                        .execute(work -> work.sql(INSERT).update().then(Mono.error(new IllegalStateException("body"))))
                        .onErrorComplete(IllegalStateException.class)),
        REPOSITORY((engine, conduct) -> unit(engine, conduct)
                .execute(work -> work.sql(INSERT)
                        .update()
                        .map(rows -> work.repository(String.class, created -> conduct.value("repository"))))),
        SOURCE((engine, conduct) -> engine.unitOfWork()
                .source()
                .rows(connection -> conduct.publisher(Flux.from(connection.validate(ValidationDepth.LOCAL)))));

        private final boolean decides;

        @SuppressWarnings("ImmutableEnumChecker") // without state
        private final Use use;

        Place(Use use) {
            this(true, use);
        }

        /** @param decides whether a failure in this place fails the subscription */
        Place(boolean decides, Use use) {
            this.decides = decides;
            this.use = use;
        }
    }

    private static UnitOfWork unit(Engine engine, Conduct conduct) {
        Duration limit = conduct == Conduct.NEVER_COMPLETES ? LIMIT.multipliedBy(3) : LONG;
        return engine.unitOfWork().timeout(limit).graceTime(LIMIT).cleanupTimeout(limit);
    }

    /**
     * Items are a publisher, not a function: null is rejected immediately, so exceptions are thrown on subscription.
     */
    private static Publisher<Integer> misbehaving(Conduct conduct, Publisher<Integer> good) {
        return conduct.throwsAtOnce() ? subscriber -> conduct.run() : conduct.publisher(good);
    }

    private record Specialized(Conduct conduct) implements RowMapper<Integer> {
        @Override
        public @Nullable Integer map(Row row, RowMetadata metadata) {
            return row.get(0, Integer.class);
        }

        @Override
        @SuppressWarnings("NullAway") // returning null is the behavior under test
        public RowMapper<Integer> forResult(RowMetadata metadata) {
            return conduct.value(this);
        }
    }

    @BeforeAll
    void table() {
        engine.sql("create table t (n int)").update().block(LONG);
    }

    @AfterAll
    void close() {
        cache.close().block(LONG);
        database.close();
    }

    /**
     * Omits a source that never completes, since the grace period to cancel its statement is too long for this test.
     */
    Stream<Arguments> cells() {
        return Stream.of(Place.values())
                .flatMap(place -> conducts.stream()
                        .filter(conduct -> place != Place.SOURCE || conduct != Conduct.NEVER_COMPLETES)
                        .map(conduct -> Arguments.of(place, conduct)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void misbehavingCodeTerminatesAndLosesNoConnection(Place place, Conduct conduct) {
        Throwable failure = failure(place, conduct);

        if (place.decides && conduct.throwsAtOnce()) {
            assertThat(failure).isNotNull();
            assertThat(chain(failure)).contains(conduct.thrown());
        } else if (!place.decides && conduct.fails()) {
            assertThat(failure).isNull();
        }
        List<Connection> all = Objects.requireNonNull(
                Flux.range(0, POOL).flatMap(i -> pool().create()).collectList().block(LONG));
        assertThat(all).allMatch(Connection::isAutoCommit);
        Flux.fromIterable(all).flatMap(Connection::close).blockLast(LONG);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failureOfItemsIsEmittedAfterTheirRowsWereWritten(boolean inUnit) {
        Flux<Integer> items = Flux.range(0, 1_500).concatWith(Mono.error(new IllegalStateException("items")));
        Mono<Long> batch = engine.sql("insert into b values (:n)")
                .batch(items.hide(), (bindings, item) -> bindings.bind("n", item));
        UnitOfWork committing = engine.unitOfWork().rollbackOn(failure -> false);
        engine.sql("create table b (n int)").update().block(LONG);
        StepVerifier.create(inUnit ? committing.execute(work -> batch) : batch)
                .expectErrorMessage("items")
                .verify(LONG);
        StepVerifier.create(engine.sql("select count(*) from b").map(Long.class).one())
                .expectNext(1_500L)
                .verifyComplete();
        engine.sql("drop table b").update().block(LONG);
    }

    private ConnectionPool pool() {
        return Objects.requireNonNull(engine.pool().block(LONG));
    }

    /** Returns the failure, if any. A use that never completes times out; any other timeout fails the test. */
    private @Nullable Throwable failure(Place place, Conduct conduct) {
        Flux<?> use = Flux.defer(() -> place.use.of(engine, conduct));
        try {
            (conduct == Conduct.NEVER_COMPLETES ? use.timeout(LIMIT) : use).blockLast(LONG);
            return null;
        } catch (Throwable e) {
            assertThat(e).hasMessageNotContaining("Timeout on blocking read");
            return Exceptions.unwrap(e);
        }
    }

    private static List<Throwable> chain(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
    }
}
