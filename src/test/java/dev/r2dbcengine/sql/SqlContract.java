package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.testing.Leaving;
import dev.r2dbcengine.testing.Proof;
import io.r2dbc.spi.R2dbcException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Statements on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SqlContract {

    final SqlDatabase database;
    final SqlTestBed bed;

    SqlContract(SqlDatabase database) {
        this.database = database;
        this.bed = new SqlTestBed(database);
    }

    @AfterAll
    void close() {
        bed.close();
    }

    record Person(long id, String firstName, @Nullable Integer age) {}

    record Named(String firstName) {}

    record Maybe(Optional<Integer> age) {}

    record Primitive(int age) {}

    record Missing(String firstName, String shoeSize) {}

    record Twice(int id) {}

    record Loud(int id) {
        public Loud {
            throw new IllegalStateException("so loud " + getClass().getSimpleName());
        }
    }

    enum Colour {
        RED,
        GREEN
    }

    record Coloured(Colour colour) {}

    @BeforeEach
    void people() {
        bed.run(
                "drop table if exists person",
                "create table person(id int primary key, first_name varchar(50) not null, age int)",
                "insert into person values (1, 'Ada', 36)",
                "insert into person values (2, 'Alan', 41)",
                "insert into person values (3, 'Grace', null)");
        bed.listener().events().clear();
    }

    @AfterEach
    void allConnectionsAreReleased() {
        StepVerifier.create(
                        bed.sql("select count(*) from person").map(Long.class).one())
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.connections().borrowed()).isZero();
    }

    @Test
    void rowsBecomeRecords() {
        StepVerifier.create(bed.sql("select * from person where id <= :last order by id")
                        .bind("last", 3)
                        .map(Person.class)
                        .all())
                .expectNext(new Person(1, "Ada", 36), new Person(2, "Alan", 41), new Person(3, "Grace", null))
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void listIsBoundAtEachOccurrence() {
        StepVerifier.create(
                        bed.sql("select id from person where id in (:ids) or -id in (:ids) or id = :one or id = :one"
                                        + " order by id")
                                .bind("ids", List.of(1, -3))
                                .bind("one", 2)
                                .map(Integer.class)
                                .all())
                .expectNext(1, 2, 3)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void listsOfOneAndManyAreBound() {
        SqlStatement statement = bed.sql("select count(*) from person where id in (:ids)");
        for (int size : new int[] {1, 2, 1000}) {
            List<Integer> ids = IntStream.rangeClosed(1, size).boxed().toList();
            StepVerifier.create(statement.bind("ids", ids).map(Integer.class).one())
                    .expectNext(Math.min(3, size))
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @Test
    void emptyListAndNullInListAreErrorsWithParameterName() {
        SqlStatement statement = bed.sql("select id from person where id in (:ids)");
        StepVerifier.create(statement.bind("ids", List.of()).map(Integer.class).all())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(ParameterException.class)
                        .hasMessageContaining("'ids' is empty")
                        .hasMessageContaining("where id in (:ids)"))
                .verify(LONG);
        StepVerifier.create(statement
                        .bind("ids", Arrays.asList(1, null))
                        .map(Integer.class)
                        .all())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("'ids' holds a null"))
                .verify(LONG);
    }

    @Test
    void onlyRealParametersAreBound() {
        StepVerifier.create(bed.sql("select '12:30' as a /* :b */, 'it''s :c' as d -- :e\n from person where id = :id")
                        .bind("id", 1)
                        .map((row, metadata) -> row.get(0) + "|" + row.get(1))
                        .one())
                .expectNext("12:30|it's :c")
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void semicolonInLiteralOrCommentOrAtEndIsKept() {
        StepVerifier.create(bed.sql("insert into person(id, first_name) values (:id, 'a;b''c\"d') /* ; */ -- ;\n;")
                        .bind("id", 9)
                        .update())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select first_name from person where first_name = 'a;b''c\"d' and id = :id")
                        .bind("id", 9)
                        .map(String.class)
                        .one())
                .expectNext("a;b'c\"d")
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void wrongParametersAreErrorsWithNames() {
        SqlStatement statement = bed.sql("select id from person where id = :id and age = :age");
        failsWith(statement.bind("id", 1).bind("agee", 2), "no parameter 'agee': it has [id, age]");
        failsWith(statement.bind("id", 1), "not bound: [age]. Bind them with bind(name, value) or bindAll(…)");
        failsWith(statement, "not bound: [id, age]");
        failsWith(statement.bind("id", 1).bind("id", 2).bind("age", 3), "'id' was bound twice: bind it once");
        assertThat(bed.listener().events()).isEmpty();
    }

    private void failsWith(SqlStatement statement, String message) {
        StepVerifier.create(statement.map(Integer.class).one())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(ParameterException.class)
                        .hasMessageContaining(message)
                        .hasMessageContaining("where id = :id"))
                .verify(LONG);
    }

    private record Unknown(String secret) {}

    @Test
    void valueOfUnknownTypeIsErrorWithoutValue() {
        StepVerifier.create(bed.sql("update person set age = 1 where first_name = :name")
                        .bind("name", new Unknown("secret"))
                        .update())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(ParameterException.class)
                        .hasMessageContaining("'name'")
                        .hasMessageContaining(Unknown.class.getName())
                        .hasMessageContaining("where first_name = :name")
                        .message()
                        .doesNotContain("secret"))
                .verify(LONG);
    }

    @Test
    void nullNeedsType() {
        SqlStatement statement =
                bed.sql("update person set age = :age where id = :id").bind("id", 1);
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> statement.bind("age", Optional.empty()))
                .withMessageContaining("'age' is null and has no type: use bind(name, value, type)");
        StepVerifier.create(statement.bind("age", null, Integer.class).update())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select age from person where id = 1")
                        .map(Integer.class)
                        .one())
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void parametersAreBoundFromRecordOrMap() {
        SqlStatement insert = bed.sql("insert into person(id, first_name, age) values (:id, :firstName, :age)");
        Map<String, Object> map = new HashMap<>(Map.of("id", 11, "firstName", "Barbara", "other", "x"));
        StepVerifier.create(Flux.concat(
                        insert.bindAll(new Person(10, "Edsger", null)).update(),
                        insert.bindAll(map).bind("age", null, Integer.class).update(),
                        insert.bind("id", 12).bindAll(new Person(0, "Tony", 5)).update()))
                .expectNext(1L, 1L, 1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select * from person where id > 9 order by id")
                        .map(Person.class)
                        .all())
                .expectNext(new Person(10, "Edsger", null), new Person(11, "Barbara", null), new Person(12, "Tony", 5))
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void oneEmitsOnlyRowOrCompletesEmptyOrFails() {
        SqlStatement ids = bed.sql("select id from person where id < :n order by id");
        StepVerifier.create(ids.bind("n", 2).map(Integer.class).one())
                .expectNext(1)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(ids.bind("n", 1).map(Integer.class).one())
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(ids.bind("n", 4).map(Integer.class).one())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(TooManyRowsException.class)
                        .hasMessageContaining("use first()")
                        .hasMessageContaining("where id < :n"))
                .verify(LONG);
    }

    @Test
    void firstIsTheFirstRowOrEmpty() {
        SqlStatement ids = bed.sql("select id from person where id < :n order by id");
        StepVerifier.create(ids.bind("n", 4).map(Integer.class).first())
                .expectNext(1)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(ids.bind("n", 1).map(Integer.class).first())
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(ids.bind("n", 1).map(Integer.class).all())
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void nullScalarIsEmptyAndErrorInStream() {
        SqlStatement age = bed.sql("select age from person order by id desc");
        StepVerifier.create(bed.sql("select age from person where id = 3")
                        .map(Integer.class)
                        .one())
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(age.map(Integer.class).first()).expectComplete().verify(LONG);
        StepVerifier.create(age.map(Integer.class).all())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(RowMappingException.class)
                        .hasMessageContaining("coalesce")
                        .hasMessageContaining("select age"))
                .verify(LONG);
        StepVerifier.create(age.map(Maybe.class).all().map(Maybe::age))
                .expectNext(Optional.empty(), Optional.of(41), Optional.of(36))
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void mismatchNamesColumnComponentAndTypesWithoutValue() {
        mismatch(
                bed.sql("select age from person where id = 3").map(Primitive.class),
                "'age' is NULL",
                "or as an Optional");
        mismatch(
                bed.sql("select age from person where id = 3").map(Primitive.class),
                "'age' is NULL",
                "'age' of",
                "Integer");
        mismatch(
                bed.sql("select first_name from person where id = 1").map(Integer.class),
                "first_name",
                "String",
                "Integer");
        mismatch(
                bed.sql("select first_name as age from person where id = 1").map(Primitive.class),
                "'age'",
                "String",
                "Integer");
        mismatch(bed.sql("select * from person where id = 1").map(Missing.class), "shoeSize", "there are");
        mismatch(bed.sql("select id, 2 as id from person where id = 1").map(Twice.class), "both fit", "'id'");
        mismatch(bed.sql("select id, age from person where id = 1").map(Integer.class), "2 columns");
        mismatch(
                bed.sql("select 'MAUVE' as colour from person where id = 1").map(Coloured.class),
                "Colour",
                "does not fit");
        mismatch(bed.sql("select 5000000000 as age from person where id = 1").map(Primitive.class), "Long", "Integer");
    }

    private void mismatch(Rows<?> rows, String... parts) {
        StepVerifier.create(rows.all())
                .expectErrorSatisfies(e -> {
                    assertThat(e).isInstanceOf(RowMappingException.class).hasMessageContaining("from person");
                    assertThat(String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT))
                            .contains(Arrays.stream(parts)
                                    .map(part -> part.toLowerCase(Locale.ROOT))
                                    .toList())
                            .doesNotContain("ada");
                })
                .verify(LONG);
    }

    @Test
    void exceptionOfMapperReachesSubscriberAndConnectionIsReusable() {
        Long session = bed.session();
        StepVerifier.create(bed.sql(database.numbers(1000))
                        .map((row, metadata) -> {
                            throw new IllegalStateException("mine");
                        })
                        .all())
                .expectErrorMessage("mine")
                .verify(LONG);
        StepVerifier.create(bed.sql("select id from person").map(Loud.class).all())
                .expectErrorMessage("so loud Loud")
                .verify(LONG);
        assertThat(bed.session()).isEqualTo(session);
    }

    @Test
    void enumsAreBoundAndReadByName() {
        StepVerifier.create(bed.sql("insert into person(id, first_name) values (:id, :name)")
                        .bind("id", 20)
                        .bind("name", Colour.GREEN)
                        .update())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select first_name as colour from person where first_name in (:names)")
                        .bind("names", List.of(Colour.GREEN, Colour.RED))
                        .map(Coloured.class)
                        .one())
                .expectNext(new Coloured(Colour.GREEN))
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("update person set age = 1 where first_name = :name or :name is null")
                        .bind("name", null, Colour.class)
                        .update())
                .expectNext(4L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void numbersAreReadAsAnyTypeThatHoldsThem() {
        SqlStatement age = bed.sql("select age from person where id = 1");
        StepVerifier.create(Flux.concat(
                                age.map(Integer.class).one(),
                                age.map(int.class).one(),
                                age.map(Long.class).one(),
                                age.map(Short.class).one(),
                                age.map(Byte.class).one(),
                                age.map(Double.class).one(),
                                age.map(Float.class).one(),
                                age.map(BigDecimal.class).one(),
                                age.map(java.math.BigInteger.class).one())
                        .map(Object::toString))
                .expectNext("36", "36", "36", "36", "36", "36.0", "36.0", "36", "36")
                .expectComplete()
                .verify(LONG);
    }

    @TestFactory
    Stream<DynamicTest> eachTypeMakesTheRoundTrip() {
        return database.types().stream().map(type -> DynamicTest.dynamicTest(type.toString(), () -> roundTrip(type)));
    }

    private <T> void roundTrip(TypeCase<T> type) {
        bed.run("drop table if exists typed", "create table typed(id int primary key, v " + type.column() + ")");
        SqlStatement insert = bed.sql("insert into typed(id, v) values (:id, :v)");
        StepVerifier.create(Flux.concat(
                        insert.bind("id", 1).bind("v", type.value()).update(),
                        insert.bind("id", 2).bind("v", null, type.type()).update()))
                .expectNext(1L, 1L)
                .expectComplete()
                .verify(LONG);
        Rows<T> found = bed.sql("select v from typed where id = 1").map(type.type());
        assertThat(found.one().block(LONG)).isEqualTo(type.value());
        Rows<T> none = bed.sql("select v from typed where id = 2 and v is null").map(type.type());
        StepVerifier.create(none.one()).expectComplete().verify(LONG);
        StepVerifier.create(bed.sql("select count(*) from typed where v is null")
                        .map(Long.class)
                        .one())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    private static final List<Instant> MOMENTS = Stream.of(
                    "2024-03-10T02:30:00Z", // no such local time in New York
                    "2024-11-03T05:30:00.123456Z", // two moments with one local time there
                    "2024-11-03T06:30:00.123456Z",
                    "2024-07-01T00:00:00Z")
            .map(Instant::parse)
            .toList();

    record Moment(Instant at, Optional<OffsetDateTime> offset, ZonedDateTime zoned) {}

    @ParameterizedTest
    @ValueSource(strings = {"America/New_York", "Asia/Kolkata"})
    void momentIsWrittenAndReadRightInEveryZoneOfTheJvm(String zone) {
        bed.run("drop table if exists moment", "create table moment(id int primary key, at " + database.moment() + ")");
        TimeZone own = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
            bed.reconnect();
            for (Instant moment : MOMENTS) {
                moments(moment, bed.sql("insert into moment(id, at) values (:id, :at)"));
            }
        } finally {
            TimeZone.setDefault(own);
            bed.reconnect();
        }
    }

    private void moments(Instant moment, SqlStatement insert) {
        List<Object> forms =
                List.of(moment, moment.atOffset(ZoneOffset.ofHours(-9)), moment.atZone(ZoneId.of("America/New_York")));
        bed.run("delete from moment");
        insert.batch(List.of(0, 1, 2), (row, i) -> row.bind("id", i).bind("at", forms.get(i)))
                .block(LONG);
        assertThat(bed.sql("select cast(" + database.epoch("at") + " as decimal(20, 6)) from moment")
                        .map(BigDecimal.class)
                        .all()
                        .collectList()
                        .block(LONG))
                .as("%s as the server sees it", moment)
                .containsOnly(new BigDecimal(
                        moment.getEpochSecond() + "." + String.format(Locale.ROOT, "%06d", moment.getNano() / 1000)));
        SqlStatement select = bed.sql("select at, at as offset_, at as zoned from moment where at = :at")
                .bind("at", moment);
        assertThat(select.map(Moment.class).all().collectList().block(LONG))
                .hasSize(3)
                .allSatisfy(found -> {
                    assertThat(found.at()).isEqualTo(moment);
                    assertThat(found.offset().orElseThrow().toInstant()).isEqualTo(moment);
                    assertThat(found.zoned().toInstant()).isEqualTo(moment);
                });
        assertThat(select.map((row, metadata) -> row.get("at", Instant.class))
                        .first()
                        .block(LONG))
                .isEqualTo(moment);
        assertThat(bed.sql("select max(at) from moment where at in (:moments)")
                        .bind("moments", MOMENTS)
                        .map(Instant.class)
                        .one()
                        .block(LONG))
                .isEqualTo(moment);
    }

    /* With MariaDB's drivers the session is in UTC; elsewhere the reader would have to guess a zone. */
    @Test
    void timeWithoutZoneIsNoMomentUnlessTheSessionIsInUtc() {
        SqlStatement select = bed.sql("select timestamp '2024-03-10 02:30:00' as at from person where id = 1");
        for (Class<?> type : List.of(Instant.class, OffsetDateTime.class, ZonedDateTime.class)) {
            Mono<?> read = select.map(type).one();
            if (bed.dialect().decode(type) != type) {
                assertThat(String.valueOf(read.block(LONG)))
                        .startsWith("2024-03-10T02:30")
                        .endsWith("Z");
            } else {
                StepVerifier.create(read)
                        .expectErrorSatisfies(e -> assertThat(e)
                                .isInstanceOf(RowMappingException.class)
                                .hasMessageContaining("LocalDateTime cannot become a value of type " + type.getName())
                                .hasMessageContaining("it has no time zone"))
                        .verify(LONG);
            }
        }
        mismatch(
                bed.sql("select date '2024-03-10' as born from person where id = 1")
                        .map(Instant.class),
                "'born'",
                "it has no time zone");
    }

    record Generic<T>(T age) {}

    record Listed(List<String> age) {}

    record Nested(Optional<Named> age) {}

    /** No record, but a JavaBean. */
    static final class Bean {
        private int age;

        public int getAge() {
            return age;
        }

        public void setAge(int age) {
            this.age = age;
        }
    }

    /* One statement of a person who is new here, and what the message has to say. */
    @TestFactory
    Stream<DynamicTest> mistakeIsAnErrorThatSaysWhatToDo() {
        SqlStatement select = bed.sql("select age from person where id = 3");
        SqlStatement in = bed.sql("select id from person where (id, age) in (:p)");
        SqlStatement name = bed.sql("select id from person where first_name = :p");
        return Stream.of(
                        Mistake.of(
                                select.map(Primitive.class),
                                "of the primitive type int",
                                "java.lang.Integer",
                                "coalesce"),
                        Mistake.of(select.map(Listed.class), "java.util.List<java.lang.String>", "use an array"),
                        Mistake.of(
                                bed.sql("select age from person").map(Bean.class), "is not a record", "use a record"),
                        Mistake.of(
                                bed.sql("select * from person").map(Bean.class),
                                "3 columns",
                                "is not a record",
                                "map the row with a function"),
                        Mistake.of(
                                bed.sql("select age from person").map(Nested.class),
                                Named.class.getName() + ", which is a record",
                                "map the row with a function"),
                        Mistake.of(
                                in.bind("p", List.of(List.of(1, 2))).map(Integer.class),
                                "'p' holds rows",
                                "(:a1, :b1)"),
                        Mistake.of(
                                in.bind("p", Collections.singletonList(new Object[] {1, 2}))
                                        .map(Integer.class),
                                "holds rows",
                                "(:a1, :b1)"),
                        Mistake.of(
                                name.bind("p", new Unknown("x")).map(Integer.class),
                                "does not know",
                                "cast it in the statement"),
                        Mistake.of(
                                name.bind("p", new Unknown[] {new Unknown("x")}).map(Integer.class),
                                "does not know",
                                "or a list of values"))
                .map(mistake -> DynamicTest.dynamicTest(mistake.parts().get(0), () -> says(mistake)));
    }

    record Mistake(Rows<?> rows, List<String> parts) {
        static Mistake of(Rows<?> rows, String... parts) {
            return new Mistake(rows, List.of(parts));
        }
    }

    private static void says(Mistake mistake) {
        StepVerifier.create(mistake.rows().all())
                .thenConsumeWhile(any -> true)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(StatementException.class)
                        .hasMessageContainingAll(mistake.parts().toArray(String[]::new)))
                .verify(LONG);
    }

    @Test
    void listBeyondTheLimitOfTheDatabaseIsRefusedBeforeItIsSent() {
        int limit = bed.dialect().maxParameters();
        boolean limited = limit < Integer.MAX_VALUE;
        Mono<Integer> count = bed.sql("select count(*) from person where id in (:ids)")
                .bind("ids", Collections.nCopies(limited ? limit + 1 : 70_000, 1))
                .map(Integer.class)
                .one();
        if (limited) {
            StepVerifier.create(count)
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(ParameterException.class)
                            .hasMessageContaining("takes " + limit)
                            .hasMessageContaining(
                                    bed.dialect() == Dialect.POSTGRESQL ? "= any(:ids)" : "split the list"))
                    .verify(LONG);
        } else {
            StepVerifier.create(count).expectNext(1).expectComplete().verify(LONG);
        }
    }

    @Test
    void charactersAndWholeNumbersAreBoundAsTheyAreRead() {
        StepVerifier.create(bed.sql("update person set first_name = :c, age = :n where id = 1 and :no is null")
                        .bind("c", 'c')
                        .bind("n", BigInteger.TEN)
                        .bind("no", null, Character.class)
                        .update())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select first_name from person where id = 1 and age = 10")
                        .map(char.class)
                        .one())
                .expectNext('c')
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select age from person where id = 1")
                        .map(Generic.class)
                        .one())
                .expectNext(new Generic<>(10))
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void quotedColumnIsReturnedByItsQuotedName() {
        String column = bed.dialect().quote("Order Id");
        bed.run("drop table if exists mixed", "create table mixed(" + column + " int, name varchar(9))");
        StepVerifier.create(bed.sql("insert into mixed values (7, 'x')")
                        .returning("\"Order Id\"", "name")
                        .map((row, metadata) -> row.get(0) + "|" + row.get(1))
                        .all())
                .expectNext("7|x")
                .expectComplete()
                .verify(LONG);
    }

    /* As text, in the way that each database wants it; and it is a document there, and not a string. */
    @Test
    void jsonIsBoundAsTextAndStoredAsADocument() {
        bed.run("drop table if exists doc", "create table doc(j json)");
        bed.sql("insert into doc(j) values (" + database.json(":j") + ")")
                .bind("j", "{\"a\": [1, \"ü\"]}")
                .update()
                .block(LONG);
        bed.sql("insert into doc(j) values (" + database.json(":j") + ")")
                .bind("j", null, String.class)
                .update()
                .block(LONG);
        assertThat(bed.sql("select j from doc where j is not null")
                        .map(String.class)
                        .one()
                        .map(text -> text.replace(" ", ""))
                        .block(LONG))
                .isEqualTo("{\"a\":[1,\"ü\"]}");
        assertThat(bed.sql("select count(*) from doc where j is null")
                        .map(Integer.class)
                        .one()
                        .block(LONG))
                .isEqualTo(1);
    }

    @TestFactory
    Stream<DynamicTest> whatIsParticularToTheDatabase() {
        return database.particular().stream()
                .map(expected -> DynamicTest.dynamicTest(expected.name(), () -> check(expected)));
    }

    private void check(Expected expected) {
        bed.run(expected.before().toArray(String[]::new));
        StepVerifier.create(bed.sql(expected.sql())
                        .bindAll(expected.bound())
                        .map(expected.value().getClass())
                        .one()
                        .cast(Object.class))
                .expectNext(expected.value())
                .expectComplete()
                .verify(LONG);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1000, 1001, 2500})
    void batchWritesOneRowForEachItem(int size) {
        List<Integer> ids = IntStream.range(100, 100 + size).boxed().toList();
        SqlStatement insert = bed.sql("insert into person(id, first_name, age) values (:id, :name, :age)")
                .bind("name", "x");
        StepVerifier.create(insert.batch(
                        ids, (row, id) -> row.bind("id", id).bind("age", id % 2 == 0 ? id : null, Integer.class)))
                .expectNext((long) size)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("select count(*) from person where id >= 100 and first_name = 'x'")
                        .map(Integer.class)
                        .one())
                .expectNext(size)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("delete from person where id = :id")
                        .batch(Flux.fromIterable(ids).hide(), (row, id) -> row.bindAll(Map.of("id", id))))
                .expectNext((long) size)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void failedBatchReportsDriverErrorAndReleasesConnection() {
        StepVerifier.create(bed.sql("insert into person(id, first_name) values (:id, 'x')")
                        .batch(List.of(50, 51, 51, 52), (row, id) -> row.bind("id", id)))
                .expectErrorSatisfies(e -> assertThat(e).isInstanceOf(R2dbcException.class))
                .verify(LONG);
        StepVerifier.create(bed.sql("insert into person(id, first_name) values (:id, 'x')")
                        .batch(List.of(60, 61), (row, id) -> row.bind("idd", id)))
                .expectError(ParameterException.class)
                .verify(LONG);
        StepVerifier.create(bed.sql("insert into person(id, first_name) values (:id, 'x')")
                        .batch(List.of(List.of(1, 2)), (row, ids) -> row.bind("id", ids)))
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("'id' is a list"))
                .verify(LONG);
    }

    @Test
    void generatedKeysOfOneRowAndOfThree() {
        bed.run(
                "drop table if exists keyed",
                "create table keyed(id " + database.generatedKey() + ", name varchar(20))");
        StepVerifier.create(bed.sql("insert into keyed(name) values (:a) -- with a tail\n ;")
                        .bind("a", "a")
                        .returning("id")
                        .map(Long.class)
                        .one())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("insert into keyed(name) values (:a), (:b), (:c)")
                        .bind("a", "x")
                        .bind("b", "y")
                        .bind("c", "z")
                        .returning("id", "name")
                        .map((row, metadata) -> row.get(0, Long.class) + String.valueOf(row.get(1)))
                        .all())
                .expectNext("2x", "3y", "4z")
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void updateAndDeleteReturnColumnsIfSupported() {
        returns("update person set age = :age where id = 2", Feature.UPDATE_RETURNING);
        returns("/* c */ delete from person where id = 2 or age = :age", Feature.DELETE_RETURNING);
    }

    private void returns(String sql, Feature feature) {
        Rows<String> rows = bed.sql(sql).bind("age", 9).returning("first_name").map(String.class);
        if (bed.dialect().has(feature)) {
            StepVerifier.create(rows.one()).expectNext("Alan").expectComplete().verify(LONG);
        } else {
            StepVerifier.create(rows.one())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining("does not return columns of")
                            .hasMessageContaining(sql))
                    .verify(LONG);
        }
    }

    @Test
    void badSqlIsTheDriversErrorWithTheStatement() {
        StepVerifier.create(bed.sql("selectt id from person where first_name = :name")
                        .bind("name", "secret")
                        .map(Integer.class)
                        .all())
                .expectErrorSatisfies(e -> {
                    assertThat(e).isInstanceOf(R2dbcException.class);
                    assertThat(e + " " + ((R2dbcException) e).getSql()).contains("selectt");
                })
                .verify(LONG);
        assertThat(bed.listener().events())
                .containsExactly(
                        "started selectt id from person where first_name = :name",
                        "failed selectt id from person where first_name = :name "
                                + bed.listener().failure());
    }

    @Test
    void slowSubscriberReceivesRowsAsRequested() {
        int rows = 100_000;
        int fetch = 100;
        AtomicLong mapped = new AtomicLong();
        AtomicLong most = new AtomicLong();
        Slow slow = new Slow(most, mapped);
        bed.sql(database.numbers(rows))
                .fetchSize(fetch)
                .map((row, metadata) -> {
                    mapped.incrementAndGet();
                    return ((Number) Objects.requireNonNull(row.get(0))).intValue();
                })
                .all()
                .subscribe(slow);
        StepVerifier.create(slow.sum.asMono())
                .expectNext(rows * (rows + 1L) / 2)
                .expectComplete()
                .verify(LONG);
        if (bed.dialect().has(Feature.BACKPRESSURE)) {
            assertThat(most).hasValueLessThanOrEqualTo(fetch);
        }
    }

    /** Asks for ten rows at a time, on a thread of its own. */
    private static final class Slow extends BaseSubscriber<Integer> {
        final Sinks.One<Long> sum = Sinks.one();
        private final AtomicLong most;
        private final AtomicLong mapped;
        private long total;
        private long received;
        private long asked;

        Slow(AtomicLong most, AtomicLong mapped) {
            this.most = most;
            this.mapped = mapped;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            ask();
        }

        @Override
        protected void hookOnNext(Integer row) {
            total += row;
            most.accumulateAndGet(mapped.get() - asked, Math::max);
            if (++received == asked) {
                Schedulers.single().schedule(this::ask);
            }
        }

        private void ask() {
            asked += 10;
            request(10);
        }

        @Override
        protected void hookOnComplete() {
            sum.tryEmitValue(total);
        }

        @Override
        protected void hookOnError(Throwable e) {
            sum.tryEmitError(e);
        }
    }

    @Test
    void streamOnAnotherThreadIsComplete() {
        for (int i = 0; i < Proof.rounds(20, 500); i++) {
            StepVerifier.create(bed.sql(database.numbers(2000))
                            .map(Integer.class)
                            .all()
                            .publishOn(Schedulers.parallel(), 32)
                            .count())
                    .expectNext(2000L)
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 500})
    void cancelInStreamReleasesConnection(int after) {
        StepVerifier.create(bed.sql(database.numbers(1000)).map(Integer.class).all(), after)
                .expectNextCount(after)
                .thenCancel()
                .verify(LONG);
        StepVerifier.create(bed.sql("select count(*) from person")
                        .map(Integer.class)
                        .one())
                .expectNext(3)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.listener().events()).contains("cancelled " + database.numbers(1000));
    }

    @Test
    void cancelsAtAnyMomentLeaveTheOneConnectionAsItWas() {
        Long session = bed.session();
        Random random = new Random(7);
        SqlStatement update = bed.sql("update person set age = age + 1 where id = :id");
        for (int i = 0; i < Proof.rounds(100, 5_000); i++) {
            Duration moment = Duration.ofNanos(random.nextInt(2_000_000));
            Publisher<?> left = i % 2 == 0
                    ? update.bind("id", 1 + i % 3).update()
                    : bed.sql(database.numbers(500)).map(Integer.class).all();
            Leaving.after(moment, Flux.from(left).then())
                    .then(bed.sql("select count(*) from person")
                            .map(Integer.class)
                            .one())
                    .as(StepVerifier::create)
                    .expectNext(3)
                    .expectComplete()
                    .verify(LONG);
        }
        assertThat(bed.session()).isEqualTo(session);
    }

    @Test
    void statementsOneAfterTheOtherShareOneConnection() {
        Long session = bed.session();
        StepVerifier.create(Flux.range(1, 3)
                        .concatMap(id -> bed.sql("select first_name from person where id = :id")
                                .bind("id", id)
                                .map(String.class)
                                .one()
                                .flatMap(name -> bed.sql("update person set age = 1 where first_name = :name")
                                        .bind("name", name)
                                        .update())))
                .expectNext(1L, 1L, 1L)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.session()).isEqualTo(session);
    }

    @Test
    void listenerReceivesStartEndAndRows() {
        StepVerifier.create(bed.sql("select id from person").map(Integer.class).all())
                .expectNextCount(3)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("update person set age = 3 where id < :id")
                        .bind("id", 3)
                        .update())
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.listener().events())
                .containsExactly(
                        "started select id from person",
                        "finished select id from person 3",
                        "started update person set age = 3 where id < :id",
                        "finished update person set age = 3 where id < :id 2");
    }

    @Test
    void statementPastTimeoutIsEndedAndUndone() {
        StepVerifier.create(bed.sql(database.slow())
                        .timeout(Duration.ofMillis(300))
                        .map(Object.class)
                        .all())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(StatementTimeoutException.class)
                        .hasMessageContaining("PT0.3S")
                        .hasMessageContaining(database.slow()))
                .verify(LONG);
        StepVerifier.create(
                        bed.sql(database.numbers(2000)).map(Integer.class).all().count())
                .expectNext(2000L)
                .expectComplete()
                .verify(LONG);
    }

    /** H2 cannot end the statement of another session: its connection is discarded. */
    @Test
    void cancelledStatementIsEndedAfterItsGraceTime() {
        Assumptions.assumeTrue(database.endsOthersSessions());
        Long session = bed.session();
        Flux<Object> slow = bed.sql(database.slow())
                .graceTime(Duration.ofMillis(100))
                .map(Object.class)
                .all();
        StepVerifier.create(Leaving.after(Duration.ofMillis(200), slow.then())
                        .then(bed.sql("select count(*) from person")
                                .map(Integer.class)
                                .one()))
                .expectNext(3)
                .expectComplete()
                .verify(LONG);
        assertThat(bed.session()).isNotEqualTo(session);
    }

    @Test
    void timeoutDoesNotAffectStatementInTime() {
        StepVerifier.create(Flux.range(1, 20)
                        .concatMap(i -> bed.sql("select first_name from person where id = :id")
                                .bind("id", 1)
                                .timeout(Duration.ofSeconds(20))
                                .map(String.class)
                                .one()))
                .expectNextCount(20)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(bed.sql("update person set age = :age where id = 1")
                        .bind("age", 5)
                        .timeout(Duration.ofSeconds(20))
                        .update())
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void statementsOnAConnectionOfSomebodyElseCommitWithIt() {
        StepVerifier.create(bed.inTransaction(sql -> sql.apply("update person set age = 77 where id in (1, 2)")
                        .update()))
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);
        List<Integer> ages = new ArrayList<>();
        StepVerifier.create(bed.sql("select age from person where id < 3")
                        .map(Integer.class)
                        .all()
                        .doOnNext(ages::add)
                        .then(Mono.just(ages)))
                .expectNext(List.of(77, 77))
                .expectComplete()
                .verify(LONG);
    }
}
