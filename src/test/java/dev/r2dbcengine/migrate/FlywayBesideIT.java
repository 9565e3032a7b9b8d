package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Flyway and this at the same time on one database. */
class FlywayBesideIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** It asks again each second; its last statement is seen meanwhile. */
    private static final String ASKED_BY_FLYWAY =
            "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and query ilike 'select pg_try_advisory_xact_lock%'";

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    private Flyway flyway(Server server, TestDatabase database) {
        String driver = server == Server.MARIADB ? "mariadb" : "postgresql";
        return Flyway.configure()
                .dataSource(
                        "jdbc:" + driver + "://" + database.host() + ":" + database.port() + "/" + database.name(),
                        database.user(),
                        database.password())
                .locations("filesystem:" + directory)
                .lockRetryCount(-1)
                .validateOnMigrate(server == Server.POSTGRESQL)
                .load();
    }

    private MigrationRunner runner(TestDatabase database) {
        return MigrationRunner.on(engines.engine(database.url())).locations("filesystem:" + directory);
    }

    /**
     * Two of each, started together. Flyway takes the lock for each migration anew. It validates before it has it, and would
     * take for failed what this one has under way on MariaDB.
     */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void concurrentToolsApplyEachMigrationOnce(Server server) throws IOException {
        FiftyScripts scripts = FiftyScripts.in(directory);
        try (TestDatabase database = TestDatabase.fresh(server);
                Race race = new Race(4)) {
            List<Integer> applied = race.run(i -> i % 2 == 0
                    ? Mono.fromCallable(() -> flyway(server, database).migrate().migrationsExecuted)
                    : runner(database).migrate().map(report -> report.applied().size()));
            assertThat(applied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(FiftyScripts.COUNT);
            scripts.assertComplete(database.url());
            assertThat(flyway(server, database).validateWithResult().validationSuccessful)
                    .isTrue();
        }
    }

    /** While Flyway runs a script, this run waits and reports the holder of the lock; then it applies the rest. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void runWaitsForFlyway(Server server) throws Exception {
        MigrationTree scripts = new MigrationTree(directory);
        List<LockHolder> holders = new CopyOnWriteArrayList<>();
        CountDownLatch told = new CountDownLatch(1);
        try (TestDatabase database = TestDatabase.fresh(server);
                Gate gate = Gate.shut(server, database)) {
            scripts.write("V1__slow.sql", "create table t(a int);\n" + gate.statement() + ";");
            Mono<Integer> flyway = Mono.fromCallable(
                            () -> flyway(server, database).migrate().migrationsExecuted)
                    .subscribeOn(Schedulers.boundedElastic())
                    .cache();
            flyway.subscribe();
            gate.reached();
            Mono<Integer> here = runner(database)
                    .listener(new MigrationListener() {
                        @Override
                        public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
                            if (holder != null) {
                                holders.add(holder);
                                told.countDown();
                            }
                        }
                    })
                    .migrate()
                    .map(report -> report.applied().size())
                    .cache();
            here.subscribe();
            assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            gate.open();
            assertThat(here.block(LONG)).isZero();
            assertThat(flyway.block(LONG)).isOne();
            assertThat(holders).allSatisfy(holder -> {
                assertThat(holder.user()).isEqualTo(database.user());
                assertThat(holder.session()).matches("\\d+");
                assertThat(holder.client()).contains("127.0.0.1");
            });
        }
    }

    /** Flyway asks for the very lock that is held here, and does not get it before. */
    @Test
    void flywayWaitsForTheSameLock() throws Exception {
        MigrationTree scripts = new MigrationTree(directory);
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL);
                Gate gate = Gate.shut(Server.POSTGRESQL, database)) {
            scripts.write("V1__slow.sql", "create table t(a int);\n" + gate.statement() + ";");
            CountDownLatch over = new CountDownLatch(1);
            Mono<Integer> here = runner(database)
                    .migrate()
                    .map(report -> report.applied().size())
                    .cache();
            here.subscribe();
            gate.reached();
            Mono<Integer> flyway = Mono.fromCallable(
                            () -> flyway(Server.POSTGRESQL, database).migrate().migrationsExecuted)
                    .subscribeOn(Schedulers.boundedElastic())
                    .doFinally(end -> over.countDown())
                    .cache();
            flyway.subscribe();
            Gate.until(database, ASKED_BY_FLYWAY);
            List<String> locks = Objects.requireNonNull(database.query(
                            "select classid || ' ' || objid || ' ' || granted from pg_locks where locktype = 'advisory'"
                                    + " and database = (select oid from pg_database where datname = current_database())"
                                    + " and objid <> " + Gate.NUMBER,
                            String.class)
                    .block(LONG));
            assertThat(locks)
                    .containsExactly((77433833903597L >> 32) + " " + (77433833903597L & 0xffffffffL) + " true");
            assertThat(over.getCount()).isOne();
            gate.open();
            assertThat(here.block(LONG)).isOne();
            assertThat(flyway.block(LONG)).isZero();
        }
    }
}
