package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RestartedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Migrations that a run has reported at its end survive a crash of PostgreSQL, although most commits do not wait for the log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashedServerIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int SCRIPTS = 50;
    private static final String UNFLUSHED = "off";
    private static final String FLUSHED = "on";

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private MemorySource files = MemorySource.of();

    @SuppressWarnings("NullAway.Init")
    private Path data;

    @SuppressWarnings("NullAway.Init")
    private RestartedServer server;

    @SuppressWarnings("NullAway.Init")
    private Engine engine;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        data = directory;
        server = RestartedServer.postgresqlWithLazyLog(data);
        engine = engines.engine(server.url());
    }

    @BeforeEach
    void clean() {
        files = MemorySource.of();
        runner().cleanDisabled(false).clean().block(LONG);
    }

    @AfterAll
    void stop() throws Exception {
        engines.close().block(LONG);
        server.close();
    }

    private MigrationRunner runner() {
        return MigrationRunner.on(engine).locations().sources(files);
    }

    private <T> List<T> query(String sql, Class<T> type) {
        return Objects.requireNonNull(
                engine.sql(sql).map(type).all().collectList().block(LONG));
    }

    /** Records, for each row of the history, whether its COMMIT will wait for the log. */
    private void recordCommits() {
        files.with("V1__record.sql", """
                create table commits (rank int, waits text);
                create function record() returns trigger language plpgsql as $$ begin
                  insert into commits values (new.installed_rank, current_setting('synchronous_commit'));
                  return new;
                end $$;
                create trigger record before insert on flyway_schema_history for each row execute function record();
                """);
        files.with("V2__a.sql", "create table a (n int);");
        files.with("V3__b.sql", "create table b (n int);");
    }

    private List<String> commits() {
        return query("select waits from commits order by rank", String.class);
    }

    @Test
    void onlyTheLastCommitOfARunWaitsForTheLog() {
        recordCommits();

        runner().migrate().block(LONG);

        assertThat(commits()).containsExactly(UNFLUSHED, UNFLUSHED, FLUSHED);
        assertThat(query("show synchronous_commit", String.class)).containsExactly(FLUSHED);
    }

    @Test
    void eachCommitWaitsIfCallbacksRun() {
        recordCommits();
        files.with("afterEachMigrate.sql", "select 1;");

        runner().migrate().block(LONG);

        assertThat(commits()).containsExactly(FLUSHED, FLUSHED, FLUSHED);
    }

    @Test
    void eachCommitWaitsIfTheLockIsOneOfTheTransaction() {
        recordCommits();

        runner().lock(LockScope.TRANSACTION).migrate().block(LONG);

        assertThat(commits()).containsExactly(FLUSHED, FLUSHED, FLUSHED);
    }

    @Test
    void eachCommitOfCodeWaits() {
        recordCommits();

        runner().sources(files, MigrationSource.of(new Code())).migrate().block(LONG);

        assertThat(commits()).containsExactly(UNFLUSHED, UNFLUSHED, FLUSHED, FLUSHED);
    }

    /** The second script fails at its COMMIT, which would have flushed the log. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "syntax error;",
                "create table c (n int references c_of (n) deferrable initially deferred);\ninsert into c values (1);"
            })
    void migrationsBeforeAFailureSurviveACrash(String last) throws Exception {
        files.with("V1__a.sql", "create table a (n int);");
        files.with("V2__b.sql", "create table c_of (n int primary key);");
        files.with("V3__c.sql", last);

        assertThatThrownBy(() -> runner().migrate().block(LONG))
                .hasMessageContaining("Migrations applied before it: 2.");
        server.crash(data);

        assertThat(query("select version from flyway_schema_history order by 1", String.class))
                .containsExactly("1", "2");
    }

    @Test
    void crashDuringARunIsReportedWithWhatMayBeLost() throws Exception {
        files.with("V1__a.sql", "create table a (n int);");
        files.with("V2__b.sql", "create table b (n int);");
        files.with("V3__c.sql", "select pg_sleep(1000);");
        Mono<MigrationReport> run = runner().migrate().cache();
        Disposable running = run.subscribe(report -> {}, e -> {});
        awaitRow("2");

        server.crash(data);

        assertThatThrownBy(() -> run.block(LONG))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("Migrations applied before it: ");
        running.dispose();
        files.with("V3__c.sql", "create table c (n int);");
        runner().migrate().block(LONG);
        assertThat(query("select n from a union all select n from b union all select n from c", Integer.class))
                .isEmpty();
    }

    private void awaitRow(String version) {
        engine.sql("select count(*) from flyway_schema_history where version = :version")
                .bind("version", version)
                .map(Long.class)
                .one()
                .onErrorReturn(0L)
                .filter(rows -> rows > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .block(LONG);
    }

    /** The server crashes in the middle of runs, and right after one has succeeded. */
    @Test
    void noMigrationIsLostOrRunTwiceByCrashes() throws Exception {
        IntStream.rangeClosed(1, SCRIPTS)
                .forEach(i -> files.with(
                        "V" + i + "__t.sql",
                        "create table if not exists done (n int);\ninsert into done values (" + i + ");\ncreate table t"
                                + i + " (n int);"));
        for (int round = 0; round < Proof.rounds(1, 100); round++) {
            Mono<MigrationReport> run = runner().migrate().cache();
            Disposable running = run.subscribe(report -> {}, e -> {});
            awaitRow(String.valueOf(ThreadLocalRandom.current().nextInt(1, SCRIPTS)));
            server.crash(data);
            run.onErrorComplete().block(LONG);
            running.dispose();

            runner().connectTimeout(LONG).migrate().block(LONG);
            server.crash(data);

            List<Integer> all = IntStream.rangeClosed(1, SCRIPTS).boxed().toList();
            assertThat(query("select n from done order by n", Integer.class)).isEqualTo(all);
            assertThat(query("select version::int from flyway_schema_history where success order by 1", Integer.class))
                    .isEqualTo(all);
            runner().cleanDisabled(false).clean().block(LONG);
        }
    }

    private record Code() implements Migration {
        @Override
        public MigrationVersion version() {
            return MigrationVersion.of("2.1");
        }

        @Override
        public String description() {
            return "code";
        }

        @Override
        public Publisher<?> migrate(Engine on) {
            return on.sql("create table code (n int)").update();
        }
    }
}
