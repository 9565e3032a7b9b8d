package dev.r2dbcengine.benchmarks;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.vertx.sqlclient.Tuple;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Statements without a unit of work: a select of one row and of 1,000 rows with a named parameter, mapped to records;
 * an insert that returns a column; a batch of 10,000 inserts. The peers are plain SPI code, Spring's {@code
 * DatabaseClient}, jOOQ and, on PostgreSQL, Vert.x.
 */
@BenchmarkMode(Mode.AverageTime)
public class StatementBenchmark {
    private static final String ONE = "one row";
    private static final String MANY = "1000 rows";
    private static final String RETURNING = "insert returning";
    private static final String BATCH = "batch of 10000";

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
    @Peer(of = BATCH)
    public Long batch(StatementState state) {
        return state.engine
                .sql(StatementState.INSERT)
                .batch(StatementState.PEOPLE, Person::bind)
                .block();
    }

    @Benchmark
    @Peer(of = BATCH, by = Peer.BY_HAND, base = true)
    public Long batchByHand(StatementState state) {
        return state.byHand(connection -> batch(state, connection)).block();
    }

    /** The client has no batches, so this uses its connection. */
    @Benchmark
    @Peer(of = BATCH, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long batchBySpring(StatementState state) {
        return state.client.inConnection(connection -> batch(state, connection)).block();
    }

    private static Mono<Long> batch(StatementState state, Connection connection) {
        Statement statement = connection.createStatement(state.insertByHand);
        boolean first = true;
        for (Person person : StatementState.PEOPLE) {
            if (!first) {
                statement.add();
            }
            first = false;
            person.bind(statement);
        }
        return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
    }
}
