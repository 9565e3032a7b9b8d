package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.Sql;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.TransactionDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A pooled connection that other code has used reaches its next user in its original state. */
@Tag("interoperation")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LentConnectionContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Server server;
    private final TestDatabase database;
    private final AtomicInteger leftOpen = new AtomicInteger();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().maxSize(1).build())
            .listener(new EngineListener() {
                @Override
                public void transactionLeftOpen(String url) {
                    leftOpen.incrementAndGet();
                }
            })
            .build();
    private final Engine engine;
    private List<String> settings = List.of();

    LentConnectionContract(Server server, String driver) {
        this.server = server;
        this.database = TestDatabase.fresh(server).keepAlive();
        this.engine = engines.engine(database.url().replaceFirst("(?<=^r2dbc:)\\w+", driver));
    }

    /** Changes that survive the release of a connection on at least one of the drivers. */
    enum Change {
        AUTOCOMMIT(true, on -> on.setAutoCommit(false)),
        SAVEPOINT(true, on -> on.createSavepoint("mine")),
        RELEASED_SAVEPOINT(
                true, on -> Flux.concat(on.createSavepoint("mine"), Flux.defer(() -> on.releaseSavepoint("mine")))),
        TRANSACTION(true, Connection::beginTransaction),
        DEFINED_TRANSACTION(
                true,
                on -> on.beginTransaction(new Definition(Map.of(
                        TransactionDefinition.ISOLATION_LEVEL,
                        IsolationLevel.SERIALIZABLE,
                        TransactionDefinition.LOCK_WAIT_TIMEOUT,
                        LONG)))),
        TRANSACTION_IN_SQL(true, LentConnectionContract::beginInSql),
        ISOLATION(false, on -> on.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE)),
        ISOLATION_OF_A_TRANSACTION(
                true,
                on -> Flux.concat(
                        on.beginTransaction(),
                        Flux.defer(() -> on.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE)))),
        LOCK_WAIT_TIMEOUT(false, on -> on.setLockWaitTimeout(LONG)),
        STATEMENT_TIMEOUT(false, on -> on.setStatementTimeout(LONG)),
        ALL(
                true,
                on -> Flux.concat(
                        Flux.defer(() -> on.setStatementTimeout(LONG)),
                        Flux.defer(() -> on.setLockWaitTimeout(LONG)),
                        Flux.defer(() -> on.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE)),
                        Flux.defer(() -> on.setAutoCommit(false))));

        private final boolean transaction;

        @SuppressWarnings("ImmutableEnumChecker") // without state
        private final Function<Connection, Publisher<?>> action;

        Change(boolean transaction, Function<Connection, Publisher<?>> action) {
            this.transaction = transaction;
            this.action = action;
        }
    }

    private record Definition(Map<Option<?>, Object> attributes) implements TransactionDefinition {
        @Override
        @SuppressWarnings("unchecked")
        public <T> @Nullable T getAttribute(Option<T> option) {
            return (T) attributes.get(option);
        }
    }

    private static Publisher<?> beginInSql(Connection on) {
        boolean h2 = on.getMetadata().getDatabaseProductName().equals("H2");
        return execute(on, h2 ? "set autocommit false" : "start transaction");
    }

    private static Flux<Long> execute(Connection on, String sql) {
        return Flux.defer(() -> on.createStatement(sql).execute()).concatMap(Result::getRowsUpdated);
    }

    @BeforeAll
    void setUp() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        database.execute("create table item (name varchar(60))").block(LONG);
        settings = Sessions.settings(server, engine, 1);
    }

    @BeforeEach
    void empty() {
        database.execute("delete from item").block(LONG);
        leftOpen.set(0);
    }

    @AfterAll
    void close() {
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        database.close();
    }

    /** Excludes the isolation level of a running transaction, which the factory's connection rejects. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ISOLATION_OF_A_TRANSACTION")
    void factoryConnectionRevertsChangeAtRelease(Change change) {
        assertRevertedAtRelease(engine.connectionFactory(), change);
    }

    @ParameterizedTest
    @EnumSource
    void pooledConnectionRevertsChangeAtRelease(Change change) {
        assertRevertedAtRelease(Objects.requireNonNull(engine.pool().block(LONG)), change);

        assertThat(leftOpen).hasValue(change.transaction ? 1 : 0);
    }

    private void assertRevertedAtRelease(ConnectionFactory factory, Change change) {
        Flux.usingWhen(
                        Mono.fromDirect(factory.create()),
                        on -> Flux.concat(change.action.apply(on), execute(on, insert("mine"))),
                        Connection::close)
                .blockLast(LONG);

        assertNextUserIsUnaffected(change.transaction ? List.of("next") : List.of("mine", "next"));
    }

    private static String insert(String name) {
        return "insert into item values ('" + name + "')";
    }

    private void assertNextUserIsUnaffected(List<String> items) {
        assertThat(Sessions.settings(server, engine, 1)).isEqualTo(settings);
        StepVerifier.create(engine.sql(insert("next")).update()).expectNext(1L).verifyComplete();
        StepVerifier.create(database.query("select name from item order by name", String.class))
                .expectNext(items)
                .verifyComplete();
        StepVerifier.create(database.query(Sessions.openTransactions(server), Long.class))
                .expectNext(List.of(0L))
                .verifyComplete();
    }

    /** On a connection instead of a factory, jOOQ begins with a savepoint, and commits by releasing it. */
    @Test
    void jooqTransactionOnConnectionIsRolledBackAtRelease() {
        StepVerifier.create(Flux.usingWhen(
                        Mono.fromDirect(engine.connectionFactory().create()),
                        on -> DSL.using(on)
                                .transactionPublisher(
                                        inner -> Flux.from(DSL.using(inner).query(insert("mine")))),
                        Connection::close))
                .expectNext(1)
                .verifyComplete();

        assertNextUserIsUnaffected(List.of("next"));
    }

    @Test
    void transactionLeftOpenByStatementIsRolledBack() {
        StepVerifier.create(engine.sql(server == Server.H2 ? "set autocommit false" : "start transaction")
                        .update())
                .expectNextCount(1)
                .verifyComplete();

        assertNextUserIsUnaffected(List.of("next"));
        assertThat(leftOpen).hasValue(1);
    }

    @Test
    void unchangedConnectionIsReused() {
        Mono<Long> used = Mono.defer(() -> Sql.number(engine.connectionFactory(), "select 1"));
        StepVerifier.create(used.then(used)).expectNext(1L).verifyComplete();

        assertThat(leftOpen).hasValue(0);
    }
}
