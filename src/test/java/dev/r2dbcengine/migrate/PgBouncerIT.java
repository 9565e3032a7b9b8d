package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.PgBouncer;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Runs through a proxy that gives each transaction another session. */
@EnabledIfSystemProperty(named = "proof", matches = "true", disabledReason = "with -Pproof only")
class PgBouncerIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int RUNNERS = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void pgBouncerIsInstalled() {
        assertThat(PgBouncer.isInstalled())
                .as("pgbouncer is installed: apt-get install pgbouncer")
                .isTrue();
    }

    private MigrationRunner runner(ReactiveEngineCache engines, String url) {
        return MigrationRunner.on(engines.engine(url))
                .locations("filesystem:" + directory.resolve("scripts"))
                .lock(LockScope.TRANSACTION);
    }

    @Test
    void concurrentRunsBehindPgBouncerApplyEachScriptOnce() throws IOException {
        FiftyScripts scripts = FiftyScripts.in(Files.createDirectories(directory.resolve("scripts")));
        List<ReactiveEngineCache> processes = IntStream.range(0, RUNNERS)
                .mapToObj(i -> ReactiveEngineCache.create())
                .toList();
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL);
                PgBouncer proxy = PgBouncer.before(database, 4, directory);
                Race race = new Race(RUNNERS)) {
            List<Integer> applied = race.run(i -> runner(processes.get(i), proxy.url())
                    .migrate()
                    .map(report -> report.applied().size()));
            assertThat(applied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(FiftyScripts.COUNT);
            scripts.assertComplete(database.url());
            assertThat(database.query("select count(*) from pg_locks where locktype = 'advisory'", Long.class)
                            .block(LONG))
                    .containsExactly(0L);
            Proof.figure("pgbouncer: " + RUNNERS + " runners applied " + applied + ", 0 locks left");
        } finally {
            Flux.fromIterable(processes).flatMap(ReactiveEngineCache::close).blockLast(LONG);
        }
    }

    /** The sessions are others', too. */
    @Test
    void sharedSessionsAreUnchanged() throws IOException {
        MigrationTree scripts = new MigrationTree(directory.resolve("scripts"));
        scripts.write("V1__a.sql", "create table t(a int);\nset search_path = pg_catalog;");
        scripts.write("V2__b.sql", "insert into t values (1);");
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL);
                PgBouncer proxy = PgBouncer.before(database, 1, directory)) {
            MigrationRunner own = runner(engines, proxy.url()).schemas("own");
            assertThat(Objects.requireNonNull(own.migrate().block(LONG)).applied())
                    .hasSize(2);
            assertThat(engines.engine(proxy.url())
                            .sql("show search_path")
                            .map(String.class)
                            .one()
                            .block(LONG))
                    .isEqualTo("\"$user\", public");
            assertThat(database.query("select a from own.t", Integer.class).block(LONG))
                    .containsExactly(1);
        } finally {
            engines.close().block(LONG);
        }
    }
}
