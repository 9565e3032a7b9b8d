package dev.r2dbcengine.benchmarks;

import static dev.r2dbcengine.benchmarks.UnitState.tenTimes;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Mono;

/** Units of work: of one insert, of none, of one within another, of one within two savepoints, of ten. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class UnitOfWorkBenchmark {

    @Benchmark
    @ComparedTo("oneByHand")
    public Long one(UnitState state) {
        return state.units.execute(state::insert).block();
    }

    @Benchmark
    public Long oneByHand(UnitState state) {
        return state.handWritten(state::insert).block();
    }

    @Benchmark
    @ComparedTo("oneByHand")
    public Long oneBySpring(UnitState state) {
        return state.spring.transactional(state.insertBySpring()).block();
    }

    @Benchmark
    @ComparedTo("oneByHand")
    public Integer oneByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(state::insertByJooq)).block();
    }

    @Benchmark
    @ComparedTo("emptyByHand")
    public Long empty(UnitState state) {
        return state.units.<Long>execute(work -> Mono.empty()).block();
    }

    @Benchmark
    public Long emptyByHand(UnitState state) {
        return state.<Long>handWritten(connection -> Mono.empty()).block();
    }

    @Benchmark
    @ComparedTo("emptyByHand")
    public Long emptyBySpring(UnitState state) {
        return state.spring.transactional(Mono.<Long>empty()).block();
    }

    @Benchmark
    @ComparedTo("emptyByHand")
    public Long emptyByJooq(UnitState state) {
        return Mono.from(state.jooq.<Long>transactionPublisher(transaction -> Mono.empty()))
                .block();
    }

    /** By hand there is nothing to join: one passes the connection. */
    @Benchmark
    @ComparedTo("oneByHand")
    public Long joined(UnitState state) {
        return state.units.execute(work -> state.units.execute(state::insert)).block();
    }

    @Benchmark
    @ComparedTo("oneByHand")
    public Long joinedBySpring(UnitState state) {
        return state.spring
                .transactional(state.spring.transactional(state.insertBySpring()))
                .block();
    }

    @Benchmark
    @ComparedTo("threeLevelsByHand")
    public Long threeLevels(UnitState state) {
        return state.units
                .execute(work -> state.nested.execute(inner -> state.nested.execute(state::insert)))
                .block();
    }

    @Benchmark
    public Long threeLevelsByHand(UnitState state) {
        return state.handWritten(connection ->
                        state.savepoint(connection, "a", state.savepoint(connection, "b", state.insert(connection))))
                .block();
    }

    @Benchmark
    @ComparedTo("threeLevelsByHand")
    public Long threeLevelsBySpring(UnitState state) {
        return state.spring
                .transactional(
                        state.springNested.transactional(state.springNested.transactional(state.insertBySpring())))
                .block();
    }

    @Benchmark
    @ComparedTo("threeLevelsByHand")
    public Integer threeLevelsByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(outer -> outer.dsl()
                        .transactionPublisher(inner -> inner.dsl().transactionPublisher(state::insertByJooq))))
                .block();
    }

    @Benchmark
    @ComparedTo("tenByHand")
    public Long ten(UnitState state) {
        return state.units.execute(work -> tenTimes(state.insert(work))).block();
    }

    @Benchmark
    public Long tenByHand(UnitState state) {
        return state.handWritten(connection -> tenTimes(Mono.defer(() -> state.insert(connection))))
                .block();
    }

    @Benchmark
    @ComparedTo("tenByHand")
    public Long tenBySpring(UnitState state) {
        return state.spring.transactional(tenTimes(state.insertBySpring())).block();
    }

    @Benchmark
    @ComparedTo("tenByHand")
    public Long tenByJooq(UnitState state) {
        return Mono.from(state.jooq.transactionPublisher(
                        transaction -> tenTimes(Mono.defer(() -> state.insertByJooq(transaction)))))
                .block();
    }
}
