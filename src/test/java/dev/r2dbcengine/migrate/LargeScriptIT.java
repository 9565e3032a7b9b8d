package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** A script is never held: not its text, nor its statements, nor the data that it copies. */
class LargeScriptIT {
    private static final Duration LONG = Duration.ofHours(1);
    private static final int MEGABYTE = 1 << 20;
    private static final int ROW = 1000;
    private static final int IN_SHORT = 5 * MEGABYTE / ROW;
    private static final int IN_FULL = 200 * MEGABYTE / ROW;
    /** The buffers of the reader, its decoder and the lexer, and the statement. */
    private static final long BUFFERS = 64 * 1024;
    /** And the messages that the driver has asked for, twice 32 of them. */
    private static final long MESSAGES = BUFFERS + 64 * 8192;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** Counts the characters read from a script, which is opened more than once, and those that are held at a time. */
    private static final class Watched {
        private final Supplier<LargeScript> source;
        private final AtomicLong done = new AtomicLong();
        private final AtomicLong held = new AtomicLong();
        private volatile LargeScript script;

        Watched(Supplier<LargeScript> source) {
            this.source = source;
            this.script = source.get();
        }

        LargeScript open() {
            LargeScript opened = source.get();
            script = opened;
            return opened;
        }

        void done(long length) {
            long read = script.bytes();
            held.accumulateAndGet(read - done.getAndAdd(length), Math::max);
        }
    }

    /** On H2 in a file. */
    private String url(Server server, TestDatabase database) {
        return server == Server.H2 ? "r2dbc:h2:file:///" + directory.resolve("h2") : database.url();
    }

    private static <T> T get(Mono<T> of) {
        return Objects.requireNonNull(of.block(LONG));
    }

    private static long count(Engine engine, String where) {
        return get(
                engine.sql("select count(*) from big" + where).map(Long.class).one());
    }

    private Watched run(
            Server server,
            Class<? extends Connection> type,
            int separator,
            Supplier<LargeScript> script,
            String where) {
        Watched watched = new Watched(script);
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> new ReportingDriver(
                        ConnectionFactories.get(options), type, length -> watched.done(length + separator)))
                .build();
        MigrationFile file = MigrationFile.of("V1__big.sql", watched::open);
        try (TestDatabase database = TestDatabase.fresh(server)) {
            Engine engine = engines.engine(url(server, database));
            get(MigrationRunner.on(engine)
                    .locations()
                    .sources(() -> List.of(file))
                    .migrate());
            assertThat(count(engine, where)).isEqualTo(IN_SHORT);
        } finally {
            engines.close().block(LONG);
        }
        return watched;
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void statementIsReadAfterThePreviousOneCompletes(Server server) {
        int separator = ";\n".length();
        Watched watched = run(
                server, Connection.class, separator, () -> LargeScript.inserts(IN_SHORT), " where length(txt) = 840");
        assertThat(watched.done).hasValue(watched.script.bytes());
        assertThat(watched.held.get()).isBetween(1L, BUFFERS);
    }

    @Test
    void copyDataIsReadOnDemand() {
        String text = "quotes '' \" backslash \\ tab \t semicolon; ";
        String where = " where txt = '" + text + "' || repeat('x', 980)";
        Watched watched =
                run(Server.POSTGRESQL, PostgresqlConnection.class, 0, () -> LargeScript.copy(IN_SHORT), where);
        assertThat(watched.done.get()).isGreaterThan(5L * MEGABYTE);
        assertThat(watched.held.get()).isBetween(1L, MESSAGES);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    @EnabledIfSystemProperty(named = "proof", matches = "true")
    void scriptOf200MegabytesRunsIn256MegabytesOfHeap(Server server) throws Exception {
        runsInLittleHeap(server, "inserts", LargeScript.inserts(IN_FULL), IN_FULL);
    }

    @Test
    @EnabledIfSystemProperty(named = "proof", matches = "true")
    void copyDataMayExceedTheHeap() throws Exception {
        runsInLittleHeap(Server.POSTGRESQL, "copied data", LargeScript.copy(2 * IN_FULL), 2 * IN_FULL);
    }

    private void runsInLittleHeap(Server server, String what, LargeScript script, int rows) throws Exception {
        Path file = directory.resolve("V1__big.sql");
        Files.copy(script, file);
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        try (TestDatabase database = TestDatabase.fresh(server)) {
            String url = url(server, database);
            long since = System.nanoTime();
            assertThat(LargeScript.migrate("256m", url, directory)).isZero();
            Duration time = Duration.ofNanos(System.nanoTime() - since);
            assertThat(count(engines.engine(url), "")).isEqualTo(rows);
            Proof.figure(server + ": " + Files.size(file) / MEGABYTE + " MB of " + what + " in " + time.toSeconds()
                    + " s with 256 MB of heap");
        } finally {
            engines.close().block(LONG);
        }
    }
}
