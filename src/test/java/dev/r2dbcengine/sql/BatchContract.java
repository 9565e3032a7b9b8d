package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.testing.Proof;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Batches have the effect of one statement for each item on every database, also where an insert has several rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BatchContract {

    private static final String INSERT = "insert into item(code, name, size) values (:code, upper(:name), :size)";

    final SqlTestBed bed;
    private final SqlDatabase database;

    BatchContract(SqlDatabase database) {
        this.database = database;
        this.bed = new SqlTestBed(database);
    }

    @AfterAll
    void close() {
        bed.close();
    }

    @BeforeEach
    void table() {
        bed.run(
                "drop table if exists item",
                "create table item(id " + database.generatedKey()
                        + ", code int not null unique, name varchar(200), size int)");
        bed.listener().events().clear();
    }

    @AfterEach
    void connectionIsReleased() {
        assertThat(bed.sql("select count(*) from item").map(Long.class).one().block(LONG))
                .isNotNull();
    }

    record Row(int code, @Nullable String name, @Nullable Integer size) {
        static Row of(int code) {
            return new Row(code, code % 3 == 0 ? null : "NAME " + code, code % 5 == 0 ? null : code);
        }

        @Nullable Long longSize() {
            return size == null ? null : Long.valueOf(size);
        }

        void bind(Bindings bindings) {
            bindings.bind("code", code).bind("name", name, String.class).bind("size", size, Integer.class);
        }
    }

    /* An insert of several rows on every database, also where it is not the default. */
    SqlStatement multiRow(String sql) {
        return multiRow(bed.sql(sql));
    }

    private SqlStatement multiRow(SqlStatement statement) {
        return bed.dialect().has(Feature.MULTI_ROW_INSERT) ? statement : statement.batchMode(BatchMode.MULTI_ROW);
    }

    private static List<Row> rows(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(Row::of).toList();
    }

    private static List<Row> withDuplicate(int count, int at) {
        List<Row> rows = new ArrayList<>(rows(0, count));
        rows.set(at, Row.of(0));
        return rows;
    }

    /* In the order of the generated keys. */
    private List<Row> stored() {
        return Objects.requireNonNull(bed.sql("select code, name, size from item order by id")
                .map(Row.class)
                .all()
                .collectList()
                .block(LONG));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 499, 500, 501, 999, 1000, 1001, 3750})
    void everyItemIsStoredInOrder(int count) {
        StepVerifier.create(multiRow(INSERT).batch(rows(0, count), (bindings, row) -> row.bind(bindings)))
                .expectNext((long) count)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.listener().events())
                .filteredOn(event -> event.startsWith("started"))
                .hasSize((count + 999) / 1000);
        assertThat(stored()).isEqualTo(rows(0, count));
    }

    /* Values of mixed types, nulls and lengths in all modes. */
    @Test
    void randomItemsAreStoredAlikeInEachMode() {
        Random random = new Random(7);
        for (int round = Proof.rounds(3, 100); round > 0; round--) {
            List<Row> rows = IntStream.range(0, 1 + random.nextInt(700))
                    .mapToObj(code -> new Row(
                            code,
                            random.nextBoolean()
                                    ? null
                                    : "'\"\\ü😀 ".repeat(random.nextInt(20)).toUpperCase(Locale.ROOT),
                            random.nextInt(4) == 0 ? null : random.nextInt()))
                    .toList();
            BiConsumer<Bindings, Row> mixed = (bindings, row) -> bindings.bind("code", row.code)
                    .bind("name", row.name, String.class)
                    .bind("size", row.code % 7 == 0 ? (Object) row.longSize() : row.size, sizeType(row));
            assertThat(bed.sql(INSERT)
                            .batchMode(BatchMode.ROW_BY_ROW)
                            .batch(rows, mixed)
                            .block(LONG))
                    .isEqualTo(rows.size());
            List<Row> expected = stored();
            assertThat(expected).isEqualTo(rows);
            bed.run("delete from item");
            assertThat(multiRow(INSERT).batch(rows, mixed).block(LONG)).isEqualTo(rows.size());
            assertThat(stored()).isEqualTo(expected);
            bed.run("delete from item");
        }
    }

    private static Class<?> sizeType(Row row) {
        return row.code % 7 > 0 ? Integer.class : Long.class;
    }

    @Test
    void rowsWithManyColumnsAreStored() {
        String columns = IntStream.range(0, 200).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        bed.run("drop table if exists wide", "create table wide(" + columns.replace(",", " int,") + " int)");
        StepVerifier.create(multiRow("insert into wide values (:" + columns.replace(", ", ", :") + ")")
                        .batch(IntStream.range(0, 103).boxed().toList(), (bindings, n) -> {
                            for (int i = 0; i < 200; i++) {
                                bindings.bind("c" + i, n * i);
                            }
                        }))
                .expectNext(103L)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.sql("select sum(c199) from wide").map(Long.class).one().block(LONG))
                .isEqualTo(199L * 102 * 103 / 2);
        bed.run("drop table wide");
    }

    /* Together they are larger than a packet of MariaDB, 16 MB. */
    @Test
    void largeValuesAreStored() {
        bed.run("drop table if exists large", "create table large(id int, v " + database.longText() + ")");
        String value = "\\'ü".repeat(200_000);
        StepVerifier.create(multiRow("insert into large values (:id, :v)")
                        .batch(
                                IntStream.range(0, 40).boxed().toList(),
                                (bindings, id) -> bindings.bind("id", id).bind("v", value)))
                .expectNext(40L)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.sql("select count(*) from large where v = :v")
                        .bind("v", value)
                        .map(Integer.class)
                        .one()
                        .block(LONG))
                .isEqualTo(40);
        bed.run("drop table large");
    }

    @Test
    void failedRowDropsTheRowsOfItsInsertAndNamesThem() {
        assertFailedItems(multiRow(INSERT), 1501, 2000);
        assertThat(stored()).isEqualTo(rows(0, 1500));
    }

    @Test
    void failedRowOfARowByRowBatchKeepsTheRowsBefore() {
        assertFailedItems(bed.sql(INSERT).batchMode(BatchMode.ROW_BY_ROW), 1701, 1701);
        assertThat(stored()).isEqualTo(rows(0, 1700));
    }

    private void assertFailedItems(SqlStatement insert, long first, long last) {
        Mono<Long> batch = insert.batch(withDuplicate(2300, 1700), (bindings, row) -> row.bind(bindings));
        StepVerifier.create(batch)
                .expectErrorSatisfies(e -> {
                    assertThat(bed.dialect().kindOf(e)).isEqualTo(ErrorKind.DUPLICATE_KEY);
                    assertThat(Arrays.stream(e.getSuppressed())
                                    .filter(FailedItemsException.class::isInstance)
                                    .map(FailedItemsException.class::cast)
                                    .map(failed -> List.of(failed.first(), failed.last())))
                            .containsExactly(List.of(first, last));
                })
                .verify(LONG);
        assertThat(bed.listener().failure()).isNotEmpty();
    }

    @Test
    void failedBatchInATransactionIsRolledBackWithIt() {
        StepVerifier.create(bed.inTransaction(sql -> multiRow(sql.apply(INSERT))
                        .batch(withDuplicate(1200, 1100), (bindings, row) -> row.bind(bindings))))
                .expectError(R2dbcException.class)
                .verify(LONG);
        assertThat(stored()).isEmpty();
        StepVerifier.create(bed.inTransaction(
                        sql -> multiRow(sql.apply(INSERT)).batch(rows(0, 1200), (bindings, row) -> row.bind(bindings))))
                .expectNext(1200L)
                .expectComplete()
                .verify(LONG);
        assertThat(stored()).hasSize(1200);
    }

    @Test
    void itemsBeforeTheFailureOfTheirPublisherAreStored() {
        StepVerifier.create(multiRow(INSERT)
                        .batch(
                                Flux.fromIterable(rows(0, 1203))
                                        .concatWith(Mono.error(new IllegalStateException("no more"))),
                                (bindings, row) -> row.bind(bindings)))
                .expectErrorMessage("no more")
                .verify(LONG);
        assertThat(stored()).isEqualTo(rows(0, 1203));
    }

    @Test
    void failingBinderSendsNoRowOfItsPortion() {
        StepVerifier.create(multiRow(INSERT).batch(rows(0, 1800), (bindings, row) -> {
                    if (row.code == 1700) {
                        throw new IllegalStateException("no value");
                    }
                    row.bind(bindings);
                }))
                .expectErrorMessage("no value")
                .verify(LONG);
        assertThat(stored()).isEqualTo(rows(0, 1000));
    }

    @Test
    void itemsAreRequestedAPortionAtATime() {
        AtomicInteger ahead = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Flux<Row> items = Flux.fromIterable(rows(0, 5500)).hide().doOnRequest(n -> {
            ahead.addAndGet((int) Math.min(n, 1_000_000));
            most.accumulateAndGet(ahead.get(), Math::max);
        });
        StepVerifier.create(multiRow(INSERT)
                        .batch(items.doOnNext(row -> ahead.decrementAndGet()), (bindings, row) -> row.bind(bindings)))
                .expectNext(5500L)
                .expectComplete()
                .verify(LONG);
        assertThat(most).hasValueLessThanOrEqualTo(2000);
    }

    @Test
    void cancelledBatchCompletesItsPortionAndReleasesTheConnection() {
        Flux<Row> items = Flux.fromIterable(rows(0, 1500)).concatWith(Flux.never());
        Mono<Long> batch = multiRow(INSERT).batch(items, (bindings, row) -> row.bind(bindings));
        Mono<Long> firstPortion = Mono.defer(() ->
                        bed.sql("select count(*) from item").map(Long.class).one())
                .repeat()
                .filter(count -> count >= 1000)
                .next();
        assertThat(Flux.merge(batch.then(Mono.<Long>empty()), firstPortion)
                        .next()
                        .block(LONG))
                .isEqualTo(1000);
        assertThat(stored()).isEqualTo(rows(0, 1000));
    }

    @Test
    void timeoutEndsAnInsertThatWaitsForALock() {
        Assumptions.assumeFalse(bed.dialect().has(Feature.BLOCKING), "H2 refuses the key at once");
        Connection other = bed.connect();
        try {
            Mono.from(other.beginTransaction())
                    .then(bed.on(other, INSERT).bindAll(Row.of(600)).update())
                    .block(LONG);
            StepVerifier.create(multiRow(INSERT)
                            .timeout(Duration.ofMillis(400))
                            .batch(rows(0, 700), (bindings, row) -> row.bind(bindings)))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(StatementTimeoutException.class)
                            .satisfies(late -> assertThat(late.getSuppressed())
                                    .extracting(Throwable::getMessage)
                                    .anySatisfy(message -> assertThat(message).contains("501 to 620"))))
                    .verify(LONG);
        } finally {
            Mono.from(other.rollbackTransaction())
                    .then(Mono.from(other.close()))
                    .block(LONG);
        }
        assertThat(stored()).isEqualTo(rows(0, 500));
    }

    @ParameterizedTest
    @EnumSource(BatchMode.class)
    void onlyInsertOfOneTupleCanHaveSeveralRows(BatchMode mode) {
        bed.run("insert into item(code) values (1), (2)");
        for (String sql : List.of(
                "update item set size = :n where code = :n",
                "insert into item(code, size) select code + 10, :n from item where code = :n",
                "insert into item(code) values (:n + 20), (:n + 30)",
                "delete from item where code = :n")) {
            Mono<Long> batch =
                    bed.sql(sql).batchMode(mode).batch(Arrays.asList(1, 2), (bindings, n) -> bindings.bind("n", n));
            if (mode == BatchMode.MULTI_ROW) {
                assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(() -> batch.block(LONG))
                        .withMessageContaining(sql);
            } else {
                assertThat(batch.block(LONG)).isIn(2L, 4L);
            }
        }
    }

    /* The sub-select reads the rows of the items before. */
    @Test
    void insertThatReadsItsTableIsSentRowByRow() {
        assertThat(bed.sql(
                                "insert into item(code, name) values ((select coalesce(max(i.code), 0) + 1 from item i), :name)")
                        .batch(Collections.nCopies(20, "x"), (bindings, name) -> bindings.bind("name", name))
                        .block(LONG))
                .isEqualTo(20);
        assertThat(stored()).last().extracting(Row::code).isEqualTo(20);
    }

    @Test
    void sharedValuesAreBoundInEachRow() {
        assertThat(multiRow(INSERT)
                        .bind("name", "shared")
                        .batch(
                                rows(0, 300),
                                (bindings, row) ->
                                        bindings.bind("code", row.code).bind("size", row.code))
                        .block(LONG))
                .isEqualTo(300);
        assertThat(stored()).hasSize(300).allMatch(row -> "SHARED".equals(row.name));
    }
}
