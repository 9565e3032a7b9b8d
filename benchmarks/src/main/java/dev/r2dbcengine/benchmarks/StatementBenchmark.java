package dev.r2dbcengine.benchmarks;

import io.netty.buffer.Unpooled;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.Wrapped;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Statements without a unit of work: a select of one row and of 1,000 rows with a named parameter, mapped to records;
 * an insert that returns a column; a batch of 10,000 inserts, or of 1,000 on a slow network. The peers are plain SPI
 * code, Spring's {@code DatabaseClient}, jOOQ and, on PostgreSQL, Vert.x; for a batch also the driver's COPY.
 */
@BenchmarkMode(Mode.AverageTime)
public class StatementBenchmark {
    private static final String ONE = "one row";
    private static final String MANY = "1000 rows";
    private static final String RETURNING = "insert returning";
    private static final String BATCH = "batch of 10000";
    private static final String FAR_BATCH = "batch of 1000";
    private static final String NEAR = "(?!far).*";
    private static final String NEAR_AND_UNPOOLED = "(?!pool|far).*";
    private static final String FAR = "far .*";

    /** Fewer, since they take seconds where each is a round trip. */
    private static final List<Person> FEW = StatementState.PEOPLE.subList(0, 1000);

    static final String SELECT_ONE = "select id, name, age from person where id = :id";
    private static final String SELECT_MANY = "select id, name, age from person where id >= :id";

    @Benchmark
    @Peer(of = ONE)
    public Person one(StatementState state) {
        return state.engine
                .sql(SELECT_ONE)
                .bind("id", 7)
                .map(Person.class)
                .one()
                .block();
    }

    @Benchmark
    @Peer(of = ONE, by = Peer.BY_HAND, base = true)
    public Person oneByHand(StatementState state) {
        return state.byHand(connection -> Flux.from(connection
                                .createStatement(state.oneByHand)
                                .bind(0, 7)
                                .execute())
                        .concatMap(result -> result.map(Person::of))
                        .singleOrEmpty())
                .block();
    }

    @Benchmark
    @Peer(of = ONE, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Person oneBySpring(StatementState state) {
        return state.client.sql(SELECT_ONE).bind("id", 7).map(Person::of).one().block();
    }

    @Benchmark
    @Peer(of = ONE, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Person oneByJooq(StatementState state) {
        return Mono.from(Columns.select(state).where(Columns.ID.eq(7)))
                .map(Columns::person)
                .block();
    }

    @Benchmark
    @Peer(of = ONE, by = "Vert.x", on = "postgresql")
    public Person oneByVertx(StatementState state) {
        return state.vertx
                .preparedQuery(state.oneByHand)
                .execute(Tuple.of(7))
                .map(rows -> rows.iterator().next())
                .map(row -> new Person(row.getInteger(0), row.getString(1), row.getInteger(2)))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Benchmark
    @Peer(of = MANY)
    public Person many(StatementState state) {
        return state.engine
                .sql(SELECT_MANY)
                .bind("id", 1)
                .map(Person.class)
                .all()
                .blockLast();
    }

    @Benchmark
    @Peer(of = MANY, by = Peer.BY_HAND, base = true)
    public Person manyByHand(StatementState state) {
        return state.rowsByHand(connection -> Flux.from(connection
                                .createStatement(state.manyByHand)
                                .bind(0, 1)
                                .execute())
                        .concatMap(result -> result.map(Person::of)))
                .blockLast();
    }

    @Benchmark
    @Peer(of = MANY, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Person manyBySpring(StatementState state) {
        return state.client.sql(SELECT_MANY).bind("id", 1).map(Person::of).all().blockLast();
    }

    @Benchmark
    @Peer(of = MANY, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Person manyByJooq(StatementState state) {
        return Flux.from(Columns.select(state).where(Columns.ID.ge(1)))
                .map(Columns::person)
                .blockLast();
    }

    @Benchmark
    @Peer(of = RETURNING)
    public Integer returning(StatementState state) {
        return state.engine
                .sql(StatementState.INSERT)
                .bind("id", 7)
                .bind("name", "Ada")
                .bind("age", 36)
                .returning("id")
                .map((row, columns) -> row.get("id", Integer.class))
                .one()
                .block();
    }

    @Benchmark
    @Peer(of = RETURNING, by = Peer.BY_HAND, base = true)
    public Integer returningByHand(StatementState state) {
        return state.byHand(connection -> Flux.from(StatementBenchmark.PERSON
                                .bind(connection.createStatement(state.insertByHand))
                                .returnGeneratedValues("id")
                                .execute())
                        .concatMap(result -> result.map(row -> row.get("id", Integer.class)))
                        .singleOrEmpty())
                .block();
    }

    private static final Person PERSON = new Person(7, "Ada", 36);

    @Benchmark
    @Peer(of = RETURNING, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Integer returningBySpring(StatementState state) {
        return insert(state.client)
                .filter(statement -> statement.returnGeneratedValues("id"))
                .map(row -> row.get("id", Integer.class))
                .one()
                .block();
    }

    private static DatabaseClient.GenericExecuteSpec insert(DatabaseClient client) {
        return client.sql(StatementState.INSERT)
                .bind("id", 7)
                .bind("name", "Ada")
                .bind("age", 36);
    }

    @Benchmark
    @Peer(of = RETURNING, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Integer returningByJooq(StatementState state) {
        return Mono.from(state.jooq
                        .insertInto(DSL.table("written"), Columns.ID, Columns.NAME, Columns.AGE)
                        .values(7, "Ada", 36)
                        .returning(Columns.ID))
                .map(row -> row.get(Columns.ID))
                .block();
    }

    @Benchmark
    @Peer(of = BATCH, on = NEAR)
    public Long batch(StatementState state) {
        return batch(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, on = FAR)
    public Long farBatch(StatementState state) {
        return batch(state, FEW);
    }

    private static Long batch(StatementState state, List<Person> people) {
        return state.engine
                .sql(StatementState.INSERT)
                .batch(people, Person::bind)
                .block();
    }

    @Benchmark
    @Peer(of = BATCH, by = Peer.BY_HAND, base = true, on = NEAR)
    public Long batchByHand(StatementState state) {
        return batchByHand(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, by = Peer.BY_HAND, base = true, on = FAR)
    public Long farBatchByHand(StatementState state) {
        return batchByHand(state, FEW);
    }

    private static Long batchByHand(StatementState state, List<Person> people) {
        return state.byHand(connection -> add(state, people, connection)).block();
    }

    @Benchmark
    @Peer(of = BATCH, by = "Spring", on = NEAR_AND_UNPOOLED)
    public Long batchBySpring(StatementState state) {
        return batchBySpring(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, by = "Spring", on = FAR)
    public Long farBatchBySpring(StatementState state) {
        return batchBySpring(state, FEW);
    }

    /** The client has no batches, so this uses its connection. */
    private static Long batchBySpring(StatementState state, List<Person> people) {
        return state.client
                .inConnection(connection -> add(state, people, connection))
                .block();
    }

    private static Mono<Long> add(StatementState state, List<Person> people, Connection connection) {
        Statement statement = connection.createStatement(state.insertByHand);
        boolean first = true;
        for (Person person : people) {
            if (!first) {
                statement.add();
            }
            first = false;
            person.bind(statement);
        }
        return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
    }

    @Benchmark
    @Peer(of = BATCH, by = "jOOQ", on = "postgresql|mariadb")
    public Long batchByJooq(StatementState state) {
        return batchByJooq(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, by = "jOOQ", on = FAR)
    public Long farBatchByJooq(StatementState state) {
        return batchByJooq(state, FEW);
    }

    private static Long batchByJooq(StatementState state, List<Person> people) {
        Object[][] rows = people.stream()
                .map(person -> new Object[] {person.id(), person.name(), person.age()})
                .toArray(Object[][]::new);
        return Flux.from(state.jooq
                        .batch(state.jooq
                                .insertInto(DSL.table("written"), Columns.ID, Columns.NAME, Columns.AGE)
                                .values((Integer) null, null, null))
                        .bind(rows))
                .count()
                .block();
    }

    @Benchmark
    @Peer(of = BATCH, by = "Vert.x", on = "postgresql")
    public Integer batchByVertx(StatementState state) {
        return batchByVertx(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, by = "Vert.x", on = "far postgresql")
    public Integer farBatchByVertx(StatementState state) {
        return batchByVertx(state, FEW);
    }

    private static Integer batchByVertx(StatementState state, List<Person> people) {
        return state.vertx
                .preparedQuery(state.insertByHand)
                .executeBatch(people.stream()
                        .map(person -> Tuple.of(person.id(), person.name(), person.age()))
                        .toList())
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .rowCount();
    }

    @Benchmark
    @Peer(of = BATCH, by = "COPY", on = "postgresql")
    public Long batchByCopy(StatementState state) {
        return batchByCopy(state, StatementState.PEOPLE);
    }

    @Benchmark
    @Peer(of = FAR_BATCH, by = "COPY", on = "far postgresql")
    public Long farBatchByCopy(StatementState state) {
        return batchByCopy(state, FEW);
    }

    /** The fastest way of PostgreSQL, with its driver alone. */
    private static Long batchByCopy(StatementState state, List<Person> people) {
        StringBuilder rows = new StringBuilder();
        people.forEach(person -> rows.append(person.id())
                .append('\t')
                .append(person.name())
                .append('\t')
                .append(person.age())
                .append('\n'));
        return state.byHand(connection -> ((Wrapped<?>) connection)
                        .unwrap(PostgresqlConnection.class)
                        .copyIn(
                                "copy written from stdin",
                                Mono.just(Unpooled.copiedBuffer(rows, StandardCharsets.UTF_8))))
                .block();
    }
}
