package dev.r2dbcengine.benchmarks;

import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A select of one row by a named parameter, mapped to a record. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatementOneBenchmark {

    private static final String NAMED = "select id, name, age from person where id = :id";

    @Benchmark
    @ComparedTo("handWritten")
    public Person engine(StatementState state) {
        return state.sql(NAMED).bind("id", 7).map(Person.class).one().block();
    }

    @Benchmark
    public Person handWritten(StatementState state) {
        return state.handWritten(connection -> Flux.from(connection
                                .createStatement("select id, name, age from person where id = $1")
                                .bind(0, 7)
                                .execute())
                        .concatMap(result -> result.map((row, metadata) -> new Person(
                                row.get(0, Integer.class), row.get(1, String.class), row.get(2, Integer.class))))
                        .singleOrEmpty())
                .block();
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Person spring(StatementState state) {
        return state.spring
                .sql(NAMED)
                .bind("id", 7)
                .map((row, metadata) -> new Person(
                        row.get("id", Integer.class), row.get("name", String.class), row.get("age", Integer.class)))
                .one()
                .block();
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Person jooq(StatementState state) {
        return Mono.from(state.jooq
                        .select(
                                DSL.field("id", Integer.class),
                                DSL.field("name", String.class),
                                DSL.field("age", Integer.class))
                        .from("person")
                        .where(DSL.field("id", Integer.class).eq(7)))
                .map(row -> new Person(row.value1(), row.value2(), row.value3()))
                .block();
    }
}
