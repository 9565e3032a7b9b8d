package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import java.io.StringReader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A script of 10 MB (ASCII) through the lexer: 100 ms are 100 MB/s. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class StatementLexerBenchmark {

    private final String script =
            ("insert into orders(id, customer, total) values (1, 'it''s a \"name\"', 12.50); -- the first\n"
                            + "update t set a = :a, b = b::text || '…' where id in (:ids) and c > 3 /* why not */;\n"
                            + "create function f() returns int as $$ begin return 1; end $$ language plpgsql;\n")
                    .repeat(10_000_000 / 250);

    @Benchmark
    public long stream() {
        SqlLexer lexer = Dialect.POSTGRESQL.lexer(new StringReader(script));
        long statements = 0;
        for (SqlToken token = lexer.next(); token != SqlToken.END; token = lexer.next()) {
            if (token == SqlToken.SEMICOLON) {
                statements += lexer.line();
            }
        }
        return statements;
    }
}
