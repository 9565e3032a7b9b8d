package dev.r2dbcengine.benchmarks;

import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Units of work with no statement, one insert, ten inserts, 100 concurrent inserts, one insert in a joined unit, and
 * one in two nested savepoints. The peers are plain SPI code, Spring's {@code TransactionalOperator}, jOOQ's {@code
 * transactionPublisher} and, on PostgreSQL, Vert.x. Also the repeated costs in a unit: joining it, compared with
 * reading the Reactor Context, and each further statement, compared with the same statement on an acquired connection.
 */
@BenchmarkMode(Mode.AverageTime)
public class UnitBenchmark {
    private static final String EMPTY = "unit of none";
    private static final String ONE = "unit of one insert";
    private static final String JOINED = "unit of one insert in a joined unit";
    private static final String THREE_DEEP = "unit of one insert three deep";
    private static final String TEN = "unit of 10 inserts";
    private static final String AT_ONCE = "unit of 100 inserts by flatMap";
    private static final String JOIN = "joining an open unit";
    private static final String FURTHER = "further select in an open unit";

    private static final Mono<Integer> ANSWER = Mono.just(42);

    @Benchmark
    @Peer(of = ONE)
    public Long one(UnitState state) {
        return state.units.execute(state::insert).block();
    }

    @Benchmark
    @Peer(of = ONE, by = Peer.BY_HAND, base = true)
    public Long oneByHand(UnitState state) {
        return state.unitByHand(state::insert).block();
    }

    @Benchmark
    @Peer(of = ONE, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long oneBySpring(UnitState state) {
        return state.spring.transactional(state.insertBySpring()).block();
    }

    @Benchmark
    @Peer(of = ONE, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Integer oneByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(state::insertByJooq)).block();
    }

    @Benchmark
    @Peer(of = ONE, by = "Vert.x", on = "(far )?postgresql")
    public Integer oneByVertx(UnitState state) {
        return state.vertx
                .withTransaction(connection -> connection
                        .preparedQuery(state.insertByHand)
                        .execute(Tuple.of(7, "Ada", 36))
                        .map(SqlResult::rowCount))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Benchmark
    @Peer(of = EMPTY)
    public Long empty(UnitState state) {
        return state.units.<Long>execute(work -> Mono.empty()).block();
    }

    @Benchmark
    @Peer(of = EMPTY, by = Peer.BY_HAND, base = true)
    public Long emptyByHand(UnitState state) {
        return state.<Long>unitByHand(connection -> Mono.empty()).block();
    }

    @Benchmark
    @Peer(of = EMPTY, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long emptyBySpring(UnitState state) {
        return state.spring.transactional(Mono.<Long>empty()).block();
    }

    @Benchmark
    @Peer(of = EMPTY, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Long emptyByJooq(UnitState state) {
        return Mono.from(state.jooq.<Long>transactionPublisher(transaction -> Mono.empty()))
                .block();
    }

    @Benchmark
    @Peer(of = JOINED)
    public Long joined(UnitState state) {
        return state.units.execute(work -> state.units.execute(state::insert)).block();
    }

    /** Plain code passes the connection instead of joining. */
    @Benchmark
    @Peer(of = JOINED, by = Peer.BY_HAND, base = true)
    public Long joinedByHand(UnitState state) {
        return oneByHand(state);
    }

    @Benchmark
    @Peer(of = JOINED, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long joinedBySpring(UnitState state) {
        return state.spring
                .transactional(state.spring.transactional(state.insertBySpring()))
                .block();
    }

    @Benchmark
    @Peer(of = THREE_DEEP)
    public Long threeDeep(UnitState state) {
        return state.units
                .execute(work -> state.nested.execute(inner -> state.nested.execute(state::insert)))
                .block();
    }

    @Benchmark
    @Peer(of = THREE_DEEP, by = Peer.BY_HAND, base = true)
    public Long threeDeepByHand(UnitState state) {
        return state.unitByHand(connection ->
                        state.savepoint(connection, "a", state.savepoint(connection, "b", state.insert(connection))))
                .block();
    }

    @Benchmark
    @Peer(of = THREE_DEEP, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long threeDeepBySpring(UnitState state) {
        return state.spring
                .transactional(
                        state.springNested.transactional(state.springNested.transactional(state.insertBySpring())))
                .block();
    }

    @Benchmark
    @Peer(of = THREE_DEEP, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Integer threeDeepByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(outer -> outer.dsl()
                        .transactionPublisher(inner -> inner.dsl().transactionPublisher(state::insertByJooq))))
                .block();
    }

    @Benchmark
    @Peer(of = TEN)
    public Long ten(UnitState state) {
        return state.units
                .execute(work -> UnitState.times(10, state.insert(work)))
                .block();
    }

    @Benchmark
    @Peer(of = TEN, by = Peer.BY_HAND, base = true)
    public Long tenByHand(UnitState state) {
        return state.unitByHand(connection -> UnitState.times(10, Mono.defer(() -> state.insert(connection))))
                .block();
    }

    @Benchmark
    @Peer(of = TEN, by = "Spring", on = Peer.UNPOOLED_OR_REAL)
    public Long tenBySpring(UnitState state) {
        return state.spring
                .transactional(UnitState.times(10, state.insertBySpring()))
                .block();
    }

    @Benchmark
    @Peer(of = TEN, by = "jOOQ", on = Peer.UNPOOLED_OR_REAL)
    public Long tenByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(
                        transaction -> UnitState.times(10, Mono.defer(() -> state.insertByJooq(transaction)))))
                .block();
    }

    @Benchmark
    @Peer(of = AT_ONCE)
    public Long atOnce(UnitState state) {
        return state.units
                .execute(work ->
                        Flux.range(0, 100).flatMap(i -> state.insert(work), 100).count())
                .block();
    }

    /** Plain code must send them one after another, since a connection is not for concurrent use. */
    @Benchmark
    @Peer(of = AT_ONCE, by = "concatMap by hand", base = true)
    public Long atOnceByHand(UnitState state) {
        return state.unitByHand(connection -> UnitState.times(100, Mono.defer(() -> state.insert(connection))))
                .block();
    }

    @Benchmark
    @Peer(of = JOIN, on = "instant")
    public Object join(UnitState state) {
        return Receiver.of(state.units.execute(work -> ANSWER).contextWrite(any -> state.open));
    }

    @Benchmark
    @Peer(of = JOIN, by = "deferContextual", base = true, on = "instant")
    public Object joinByHand(UnitState state) {
        return Receiver.of(Mono.deferContextual(context -> context.hasKey(UnitState.KEY) ? ANSWER : Mono.empty())
                .contextWrite(any -> state.open));
    }

    @Benchmark
    @Peer(of = FURTHER)
    public Person further(UnitState state) {
        return state.selectOne()
                .map(Person.class)
                .one()
                .contextWrite(any -> state.open)
                .block();
    }

    @Benchmark
    @Peer(of = FURTHER, by = Peer.BY_HAND, base = true)
    public Person furtherByHand(UnitState state) {
        return Mono.defer(() -> state.selectOne(state.connection))
                .contextWrite(any -> state.open)
                .block();
    }
}
