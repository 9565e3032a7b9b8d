package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Dialect;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A script from its bytes to its statements: 10 ms a megabyte are 100 MB/s. In the package of what it measures, which
 * nobody else sees.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class MigrationScriptBenchmark {

    private static final String INSERTS =
            "insert into orders(id, customer, total) values (1, 'it''s a \"name\"', 12.50); -- the first\n";
    private static final String MIXED = INSERTS
            + "create table if not exists shop.orders(id bigint primary key, customer text not null /* who */);\n"
            + "update t set a = 1, b = b::text || '…' where id in (1, 2, 3) and c > 3;\n"
            + "create function f() returns int as $$ begin return 1; end $$ language plpgsql;\n";

    @Param({"1", "10", "50"})
    private int megabytes;

    @Param({"inserts", "mixed"})
    private String kind = "";

    private byte[] bytes = {};

    /** Writes the script. */
    @Setup
    public void write() {
        String text = kind.equals("inserts") ? INSERTS : MIXED;
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        bytes = text.repeat(megabytes * 1_000_000 / length).getBytes(StandardCharsets.UTF_8);
    }

    /** The statements alone. */
    @Benchmark
    public long statements() throws Exception {
        long count = 0;
        try (ScriptReader reader = script(Placeholders.OFF).open(Dialect.POSTGRESQL, 17)) {
            for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
                count += next.line();
            }
        }
        return count;
    }

    /** The look that decides about a transaction, with a search for placeholders. */
    @Benchmark
    public ScriptScan scan() {
        return script(Placeholders.of(Map.of("a", "b"))).scan(Dialect.POSTGRESQL, 17);
    }

    private Script script(Placeholders placeholders) {
        return new Script("f", () -> new ByteArrayInputStream(bytes), StandardCharsets.UTF_8, placeholders);
    }
}
