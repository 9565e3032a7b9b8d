package dev.r2dbcengine.benchmarks;

import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;

/** A select of 1,000 rows, mapped to records. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatementRowsBenchmark {

    private static final String NAMED = "select id, name, age from person where id >= :id";

    @State(Scope.Benchmark)
    public static class Thousand extends StatementState {
        @Override
        int rows() {
            return 1000;
        }
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Person engine(Thousand state) {
        return state.sql(NAMED).bind("id", 1).map(Person.class).all().blockLast();
    }

    @Benchmark
    public Person handWritten(Thousand state) {
        return state.<Person>handWrittenRows(connection -> Flux.from(connection
                                .createStatement("select id, name, age from person where id >= $1")
                                .bind(0, 1)
                                .execute())
                        .concatMap(result -> result.map((row, metadata) -> new Person(
                                row.get(0, Integer.class), row.get(1, String.class), row.get(2, Integer.class)))))
                .blockLast();
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Person spring(Thousand state) {
        return state.spring
                .sql(NAMED)
                .bind("id", 1)
                .map((row, metadata) -> new Person(
                        row.get("id", Integer.class), row.get("name", String.class), row.get("age", Integer.class)))
                .all()
                .blockLast();
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Person jooq(Thousand state) {
        return Flux.from(state.jooq
                        .select(
                                DSL.field("id", Integer.class),
                                DSL.field("name", String.class),
                                DSL.field("age", Integer.class))
                        .from("person")
                        .where(DSL.field("id", Integer.class).ge(1)))
                .map(row -> new Person(row.value1(), row.value2(), row.value3()))
                .blockLast();
    }
}
