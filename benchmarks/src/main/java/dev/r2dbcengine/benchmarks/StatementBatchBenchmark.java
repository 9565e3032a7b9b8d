package dev.r2dbcengine.benchmarks;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;

/** A batch of 10,000 inserts. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class StatementBatchBenchmark {

    private static final List<Person> PEOPLE = IntStream.range(0, 10_000)
            .mapToObj(i -> new Person(i, "name " + i, i % 100))
            .toList();

    @Benchmark
    @ComparedTo("handWritten")
    public Long engine(StatementState state) {
        return state.sql("insert into written values (:id, :name, :age)")
                .batch(
                        PEOPLE,
                        (row, person) -> row.bind("id", person.id())
                                .bind("name", person.name())
                                .bind("age", person.age()))
                .block();
    }

    @Benchmark
    public Long handWritten(StatementState state) {
        return state.handWritten(connection -> {
                    Statement statement = connection.createStatement("insert into written values ($1, $2, $3)");
                    boolean first = true;
                    for (Person person : PEOPLE) {
                        if (!first) {
                            statement.add();
                        }
                        first = false;
                        statement.bind(0, person.id()).bind(1, person.name()).bind(2, person.age());
                    }
                    return Flux.from(statement.execute())
                            .concatMap(Result::getRowsUpdated)
                            .reduce(0L, Long::sum);
                })
                .block();
    }

    @Benchmark
    @ComparedTo("handWritten")
    public Long spring(StatementState state) {
        return state.spring
                .inConnection(connection -> {
                    Statement statement = connection.createStatement("insert into written values ($1, $2, $3)");
                    boolean first = true;
                    for (Person person : PEOPLE) {
                        if (!first) {
                            statement.add();
                        }
                        first = false;
                        statement.bind(0, person.id()).bind(1, person.name()).bind(2, person.age());
                    }
                    return Flux.from(statement.execute())
                            .concatMap(Result::getRowsUpdated)
                            .reduce(0L, Long::sum);
                })
                .block();
    }
}
