package dev.r2dbcengine.migrate;

import dev.r2dbcengine.benchmarks.Peer;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.migrate.internal.script.Placeholders;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptReader;
import dev.r2dbcengine.migrate.internal.script.ScriptScan;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures a script with some non-ASCII text in the lexer, from its bytes to its statements, and in the scan that
 * decides about a transaction and searches for placeholders. There are no peers: the benchmark shows the growth with
 * the size. It is in the package of the classes that it measures, which are package-private.
 */
@BenchmarkMode(Mode.AverageTime)
@State(Scope.Benchmark)
public class ScriptBenchmark {
    private static final String SCRIPT = "{megabytes} MB";
    private static final String PART = """
            insert into orders(id, customer, total) values (1, 'it''s a "name"', 12.50); -- the first
            create table if not exists shop.orders(id bigint primary key, customer text not null /* who */);
            update t set a = 1, b = b::text || '…' where id in (1, 2, 3) and c > 3;
            create function f() returns int as $$ begin return 1; end $$ language plpgsql;
            """;

    /** The size in millions of bytes. */
    @Param({"1", "5", "25"})
    public int megabytes;

    /** The dialect of the script. */
    @Param("postgresql")
    public String database;

    private String text = "";
    private byte[] bytes = {};

    /** Writes the script. */
    @Setup
    public void write() {
        int length = PART.getBytes(StandardCharsets.UTF_8).length;
        text = PART.repeat(megabytes * 1_000_000 / length);
        bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    @Peer(of = SCRIPT, by = "tokens")
    public long tokens() {
        SqlLexer lexer = Dialect.POSTGRESQL.lexer(new StringReader(text));
        long statements = 0;
        for (SqlToken token = lexer.next(); token != SqlToken.END; token = lexer.next()) {
            if (token == SqlToken.SEMICOLON) {
                statements += lexer.line();
            }
        }
        return statements;
    }

    @Benchmark
    @Peer(of = SCRIPT, by = "statements")
    public long statements() throws Exception {
        long count = 0;
        try (ScriptReader reader = script(Placeholders.OFF).open(Dialect.POSTGRESQL, 17)) {
            for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
                count += next.line();
            }
        }
        return count;
    }

    @Benchmark
    @Peer(of = SCRIPT, by = "look")
    public ScriptScan look() {
        return script(new Placeholders("${", "}", Map.of("a", "b"))).scan(Dialect.POSTGRESQL, 17);
    }

    private Script script(Placeholders placeholders) {
        return new Script("f", () -> new ByteArrayInputStream(bytes), StandardCharsets.UTF_8, placeholders);
    }
}
