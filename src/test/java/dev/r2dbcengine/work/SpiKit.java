package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.test.TestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The test kit of the SPI, and a test for each sentence of its Javadoc that the kit does not cover. */
@SuppressWarnings("NullAway") // the SPI specifies the handling of null
interface SpiKit extends TestKit<String> {
    Duration LONG = Duration.ofSeconds(30);

    private <T> List<T> on(Function<Connection, ? extends Publisher<T>> work) {
        return Objects.requireNonNull(Flux.usingWhen(getConnectionFactory().create(), work, Connection::close)
                .collectList()
                .block(LONG));
    }

    private void with(Consumer<Connection> work) {
        on(connection -> {
            work.accept(connection);
            return Mono.empty();
        });
    }

    private static Mono<Void> call(Function<Connection, Publisher<Void>> call, Connection connection) {
        return Mono.defer(() -> Mono.from(call.apply(connection)));
    }

    private Mono<Long> insert(Connection connection) {
        return Mono.defer(() -> updates(connection
                .createStatement(expand(TestStatement.INSERT_VALUE100))
                .execute()));
    }

    private static Mono<Long> updates(Publisher<? extends Result> results) {
        return Flux.from(results).concatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
    }

    private Flux<Integer> values(Connection connection) {
        return Flux.defer(() -> connection
                        .createStatement(expand(TestStatement.SELECT_VALUE))
                        .execute())
                .concatMap(result -> result.map(row -> row.get(0, Integer.class)));
    }

    private List<Integer> values() {
        return on(this::values);
    }

    private Statement insertOf(Connection connection, int parameters) {
        return connection.createStatement(
                parameters == 1
                        ? expand(TestStatement.INSERT_VALUE_PLACEHOLDER, getPlaceholder(0))
                        : expand(TestStatement.INSERT_TWO_VALUES_PLACEHOLDER, getPlaceholder(0), getPlaceholder(1)));
    }

    private static TransactionDefinition definition(Map<Option<?>, Object> attributes) {
        return new TransactionDefinition() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> @Nullable T getAttribute(Option<T> option) {
                return (T) attributes.get(option);
            }
        };
    }

    private static void refusesNull(ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call);
    }

    /* Connection */

    @Test
    default void beginDisablesAutoCommit() {
        List<Boolean> modes = on(connection ->
                call(Connection::beginTransaction, connection).then(Mono.fromSupplier(connection::isAutoCommit)));
        assertThat(modes).containsExactly(false);
    }

    @Test
    default void commitRestoresAutoCommit() {
        List<Boolean> modes = on(connection -> call(Connection::beginTransaction, connection)
                .then(call(Connection::commitTransaction, connection))
                .then(Mono.fromSupplier(connection::isAutoCommit)));
        assertThat(modes).containsExactly(true);
    }

    @Test
    default void rollbackRestoresAutoCommit() {
        List<Boolean> modes = on(connection -> call(Connection::beginTransaction, connection)
                .then(call(Connection::rollbackTransaction, connection))
                .then(Mono.fromSupplier(connection::isAutoCommit)));
        assertThat(modes).containsExactly(true);
    }

    @Test
    default void autoCommitCanBeSwitchedOff() {
        List<Integer> seen = on(connection -> call(c -> c.setAutoCommit(false), connection)
                .then(call(Connection::beginTransaction, connection))
                .then(insert(connection))
                .then(call(Connection::rollbackTransaction, connection))
                .thenMany(values(connection)));
        assertThat(seen).isEmpty();
    }

    @Test
    default void sameAutoCommitIsNoOp() {
        on(connection -> call(c -> c.setAutoCommit(connection.isAutoCommit()), connection));
    }

    @Test
    default void transactionsFollowEachOther() {
        List<Integer> seen = on(connection -> call(Connection::beginTransaction, connection)
                .then(insert(connection))
                .then(call(Connection::commitTransaction, connection))
                .then(call(Connection::beginTransaction, connection))
                .then(insert(connection))
                .then(call(Connection::rollbackTransaction, connection))
                .thenMany(values(connection)));
        assertThat(seen).containsExactly(100);
    }

    @Test
    default void commitWithoutTransactionIsNoOp() {
        on(connection -> call(Connection::commitTransaction, connection));
    }

    @Test
    default void rollbackWithoutTransactionIsNoOp() {
        on(connection -> call(Connection::rollbackTransaction, connection));
    }

    @Test
    default void closeRollsBackOpenTransaction() {
        on(connection -> call(Connection::beginTransaction, connection).then(insert(connection)));
        assertThat(values()).isEmpty();
    }

    @Test
    default void closeKeepsCommittedTransaction() {
        on(connection -> call(Connection::beginTransaction, connection)
                .then(insert(connection))
                .then(call(Connection::commitTransaction, connection)));
        assertThat(values()).containsExactly(100);
    }

    @Test
    default void closeTwiceCompletes() {
        on(connection -> call(Connection::close, connection).then(call(Connection::close, connection)));
    }

    @Test
    default void closeSubscribedTwiceCompletes() {
        on(connection -> {
            Mono<Void> close = Mono.from(connection.close());
            return close.then(close);
        });
    }

    @Test
    default void statementAfterCloseFails() {
        assertThat(on(connection -> call(Connection::close, connection)
                        .then(insert(connection))
                        .map(rows -> "inserted " + rows)
                        .onErrorReturn("failed")))
                .containsExactly("failed");
    }

    @Test
    default void transactionAfterCloseFails() {
        assertThat(on(connection -> call(Connection::close, connection)
                        .then(call(Connection::beginTransaction, connection))
                        .thenReturn("begun")
                        .onErrorReturn("failed")))
                .containsExactly("failed");
    }

    @Test
    default void isolationLevelIsWhatWasSet() {
        List<IsolationLevel> levels =
                on(connection -> call(c -> c.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE), connection)
                        .then(Mono.fromSupplier(connection::getTransactionIsolationLevel)));
        assertThat(levels).containsExactly(IsolationLevel.SERIALIZABLE);
    }

    @Test
    default void sameIsolationLevelIsAccepted() {
        on(connection ->
                call(c -> c.setTransactionIsolationLevel(connection.getTransactionIsolationLevel()), connection));
    }

    @Test
    default void timeoutsAreAccepted() {
        on(connection -> call(c -> c.setLockWaitTimeout(Duration.ofSeconds(7)), connection)
                .then(call(c -> c.setStatementTimeout(Duration.ofSeconds(7)), connection)));
    }

    @Test
    default void timeoutsAreAcceptedInTransaction() {
        on(connection -> call(Connection::beginTransaction, connection)
                .then(call(c -> c.setLockWaitTimeout(Duration.ofSeconds(7)), connection))
                .then(call(c -> c.setStatementTimeout(Duration.ofSeconds(7)), connection))
                .then(call(Connection::rollbackTransaction, connection)));
    }

    @Test
    default void definitionOfTransactionIsAccepted() {
        TransactionDefinition definition = definition(Map.of(TransactionDefinition.NAME, "n"));
        List<Integer> seen = on(connection -> call(c -> c.beginTransaction(definition), connection)
                .then(insert(connection))
                .then(call(Connection::rollbackTransaction, connection))
                .thenMany(values(connection)));
        assertThat(seen).isEmpty();
    }

    @Test
    default void definitionWithIsolationLevelIsAccepted() {
        TransactionDefinition definition =
                definition(Map.of(TransactionDefinition.ISOLATION_LEVEL, IsolationLevel.SERIALIZABLE));
        on(connection -> call(c -> c.beginTransaction(definition), connection)
                .then(call(Connection::rollbackTransaction, connection)));
    }

    @Test
    default void definitionWithSameIsolationLevelIsAccepted() {
        on(connection -> call(
                        c -> c.beginTransaction(definition(Map.of(
                                TransactionDefinition.ISOLATION_LEVEL, connection.getTransactionIsolationLevel()))),
                        connection)
                .then(call(Connection::rollbackTransaction, connection)));
    }

    @Test
    default void releasedSavepointKeepsItsWork() {
        List<Integer> seen = on(connection -> call(Connection::beginTransaction, connection)
                .then(call(c -> c.createSavepoint("s"), connection))
                .then(insert(connection))
                .then(call(c -> c.releaseSavepoint("s"), connection))
                .then(call(Connection::commitTransaction, connection))
                .thenMany(values(connection)));
        assertThat(seen).containsExactly(100);
    }

    @Test
    default void unknownSavepointFails() {
        assertThat(on(connection -> call(Connection::beginTransaction, connection)
                        .then(call(c -> c.rollbackTransactionToSavepoint("unknown"), connection))
                        .thenReturn("rolled back")
                        .onErrorReturn("failed")
                        .flatMap(end -> call(Connection::rollbackTransaction, connection)
                                .thenReturn(end))))
                .containsExactly("failed");
    }

    @Test
    default void validationInTransactionSucceeds() {
        assertThat(on(connection -> call(Connection::beginTransaction, connection)
                        .thenMany(Flux.concat(
                                connection.validate(ValidationDepth.LOCAL),
                                connection.validate(ValidationDepth.REMOTE)))))
                .containsExactly(true, true);
    }

    @Test
    default void metadataNamesTheProduct() {
        with(connection -> {
            assertThat(connection.getMetadata().getDatabaseProductName()).isNotBlank();
            assertThat(connection.getMetadata().getDatabaseVersion()).isNotBlank();
            assertThat(getConnectionFactory().getMetadata().getName()).isNotBlank();
        });
    }

    @Test
    default void createSavepointRefusesNull() {
        with(connection -> refusesNull(() -> connection.createSavepoint(null)));
    }

    @Test
    default void releaseSavepointRefusesNull() {
        with(connection -> refusesNull(() -> connection.releaseSavepoint(null)));
    }

    @Test
    default void rollbackToSavepointRefusesNull() {
        with(connection -> refusesNull(() -> connection.rollbackTransactionToSavepoint(null)));
    }

    @Test
    default void savepointsInTransactionRefuseNull() {
        on(connection -> call(Connection::beginTransaction, connection).then(Mono.fromRunnable(() -> {
            refusesNull(() -> connection.createSavepoint(null));
            refusesNull(() -> connection.releaseSavepoint(null));
            refusesNull(() -> connection.rollbackTransactionToSavepoint(null));
        })));
    }

    @Test
    default void isolationLevelRefusesNull() {
        with(connection -> refusesNull(() -> connection.setTransactionIsolationLevel(null)));
    }

    @Test
    default void lockWaitTimeoutRefusesNull() {
        with(connection -> refusesNull(() -> connection.setLockWaitTimeout(null)));
    }

    @Test
    default void statementTimeoutRefusesNull() {
        with(connection -> refusesNull(() -> connection.setStatementTimeout(null)));
    }

    @Test
    default void validateRefusesNull() {
        with(connection -> refusesNull(() -> connection.validate(null)));
    }

    /* Statement */

    @Test
    default void statementIsFluent() {
        with(connection -> {
            Statement statement = insertOf(connection, 1);
            assertThat(statement.bind(0, 1)).isSameAs(statement);
            assertThat(statement.add()).isSameAs(statement);
            assertThat(statement.bindNull(getIdentifier(0), Integer.class)).isSameAs(statement);
            assertThat(statement.add()).isSameAs(statement);
            assertThat(statement.bindNull(0, Integer.class)).isSameAs(statement);
            assertThat(statement.fetchSize(1)).isSameAs(statement);
            assertThat(statement.returnGeneratedValues()).isSameAs(statement);
        });
    }

    @Test
    default void statementDoesNothingBeforeSubscription() {
        with(connection -> insertOf(connection, 1).bind(0, 1).execute());
        assertThat(values()).isEmpty();
    }

    @Test
    default void statementRunsAgain() {
        List<Long> counts = on(connection -> {
            Statement statement = insertOf(connection, 1).bind(0, 1);
            return updates(statement.execute())
                    .concatWith(Mono.defer(() -> updates(statement.bind(0, 2).execute())));
        });
        assertThat(counts).containsExactly(1L, 1L);
    }

    @Test
    default void executionSubscribedTwiceRunsTwice() {
        List<Long> counts = on(connection -> {
            Publisher<? extends Result> execution = connection
                    .createStatement(expand(TestStatement.INSERT_VALUE100))
                    .execute();
            return updates(execution).concatWith(updates(execution));
        });
        assertThat(counts).containsExactly(1L, 1L);
    }

    @Test
    default void statementWithoutBindingsFails() {
        with(connection -> {
            Statement statement = insertOf(connection, 2);
            assertThatIllegalStateException().isThrownBy(statement::execute);
        });
    }

    @Test
    default void addWithoutBindingsFails() {
        with(connection -> {
            Statement statement = insertOf(connection, 1);
            assertThatIllegalStateException().isThrownBy(statement::add);
        });
    }

    @Test
    default void trailingAddFails() {
        with(connection -> {
            Statement statement = insertOf(connection, 1).bind(0, 1).add();
            assertThatIllegalStateException().isThrownBy(statement::execute);
        });
    }

    @Test
    default void bindNullRefusesNullType() {
        with(connection -> {
            Statement statement = insertOf(connection, 1);
            refusesNull(() -> statement.bindNull(0, null));
            refusesNull(() -> statement.bindNull(getIdentifier(0), null));
        });
    }

    @Test
    default void bindOutOfRangeFails() {
        with(connection -> {
            Statement statement = insertOf(connection, 1);
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> statement.bind(-1, 1));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> statement.bindNull(99, Integer.class));
        });
    }

    @Test
    default void returnGeneratedValuesRefusesNullItem() {
        with(connection -> {
            Statement statement = connection.createStatement(expand(TestStatement.INSERT_VALUE100));
            refusesNull(() -> statement.returnGeneratedValues("test_value", null));
        });
    }

    @Test
    default void fetchSizeReadsAllRows() {
        List<Integer> seen = on(connection -> updates(insertOf(connection, 1)
                        .bind(0, 1)
                        .add()
                        .bind(0, 2)
                        .add()
                        .bind(0, 3)
                        .execute())
                .thenMany(Flux.from(connection
                                .createStatement(expand(TestStatement.SELECT_VALUE))
                                .fetchSize(1)
                                .execute())
                        .concatMap(result -> result.map(row -> row.get(0, Integer.class)))));
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    default void statementThatFailsReportsAnR2dbcException() {
        assertThat(on(connection -> updates(connection
                                .createStatement("insert into nowhere values (1)")
                                .execute())
                        .map(rows -> "inserted")
                        .onErrorResume(R2dbcException.class, e -> Mono.just("failed"))))
                .containsExactly("failed");
    }

    /* Batch */

    @Test
    default void batchIsFluentAndRefusesNull() {
        with(connection -> {
            Batch batch = connection.createBatch();
            assertThat(batch.add(expand(TestStatement.INSERT_VALUE100))).isSameAs(batch);
            refusesNull(() -> batch.add(null));
        });
    }

    @Test
    default void batchReturnsAResultForEachStatement() {
        List<Long> counts = on(connection -> Flux.from(connection
                        .createBatch()
                        .add(expand(TestStatement.INSERT_VALUE100))
                        .add(expand(TestStatement.INSERT_VALUE200))
                        .execute())
                .concatMap(Result::getRowsUpdated));
        assertThat(counts).containsExactly(1L, 1L);
        assertThat(values()).containsExactlyInAnyOrder(100, 200);
    }

    @Test
    default void batchDoesNothingBeforeSubscription() {
        with(connection -> connection
                .createBatch()
                .add(expand(TestStatement.INSERT_VALUE100))
                .execute());
        assertThat(values()).isEmpty();
    }

    /* Result and Row */

    private <T> List<T> selected(Function<Result, ? extends Publisher<T>> reading) {
        return on(connection -> insert(connection)
                .thenMany(Flux.defer(() -> connection
                        .createStatement(expand(TestStatement.SELECT_VALUE))
                        .execute()))
                .concatMap(reading));
    }

    @Test
    default void resultRefusesNull() {
        List<Integer> seen = selected(result -> {
            refusesNull(() -> result.map((Function<io.r2dbc.spi.Readable, Integer>) null));
            refusesNull(() -> result.filter(null));
            refusesNull(() -> result.flatMap(null));
            return result.map(row -> row.get(0, Integer.class));
        });
        assertThat(seen).containsExactly(100);
    }

    @Test
    default void segmentsAreMappedInOrder() {
        List<String> seen = on(connection -> updates(
                        insertOf(connection, 1).bind(0, 1).add().bind(0, 2).execute())
                .thenMany(Flux.defer(() -> connection
                        .createStatement(expand(TestStatement.SELECT_VALUE) + " order by test_value")
                        .execute()))
                .concatMap(result -> result.flatMap(segment -> segment instanceof Result.RowSegment row
                        ? Flux.just("first of ", "second of ")
                                .map(text -> text + row.row().get(0, Integer.class))
                        : Flux.empty())));
        assertThat(seen).containsExactly("first of 1", "second of 1", "first of 2", "second of 2");
    }

    @Test
    default void mapperThatThrowsFailsTheResult() {
        IllegalStateException thrown = new IllegalStateException("on purpose");
        assertThat(selected(result -> Flux.from(result.<String>map(row -> {
                            throw thrown;
                        }))
                        .onErrorResume(e -> Mono.just(e == thrown ? "the same" : "another"))))
                .containsExactly("the same");
    }

    @Test
    default void connectionIsUsableAfterFailedMapper() {
        List<Integer> seen = on(connection -> insert(connection)
                .thenMany(Flux.defer(() -> connection
                        .createStatement(expand(TestStatement.SELECT_VALUE))
                        .execute()))
                .concatMap(result -> result.<Integer>map(row -> {
                    throw new IllegalStateException("on purpose");
                }))
                .onErrorResume(e -> values(connection)));
        assertThat(seen).containsExactly(100);
    }

    /* ConnectionFactory */

    @Test
    default void factoryCreatesAConnectionForEachSubscription() {
        Publisher<? extends Connection> create = getConnectionFactory().create();
        List<Boolean> same = Objects.requireNonNull(Flux.usingWhen(
                        create,
                        one -> Flux.usingWhen(create, other -> Mono.just(one == other), Connection::close),
                        Connection::close)
                .collectList()
                .block(LONG));
        assertThat(same).containsExactly(false);
    }

    @Test
    default void closingOneConnectionLeavesOthersOpen() {
        List<Integer> seen = on(one -> insert(one)
                .thenMany(Flux.usingWhen(
                        getConnectionFactory().create(), other -> Mono.<Integer>empty(), Connection::close))
                .concatWith(values(one)));
        assertThat(seen).containsExactly(100);
    }
}
