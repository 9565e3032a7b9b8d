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
import java.util.stream.Stream;
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
    void eachMigrationIsAppliedOnce(Server server) throws IOException {
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

    private static String slow(Server server) {
        return server == Server.POSTGRESQL ? "select pg_sleep(2)" : "select sleep(2)";
    }

    /** While Flyway is in a script, this one waits, and tells who has the lock; what follows is applied after it. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void flywayIsAwaited(Server server) throws IOException {
        MigrationTree scripts = new MigrationTree(directory);
        scripts.write("V1__slow.sql", "create table t(a int);\n" + slow(server) + ";");
        List<LockHolder> holders = new CopyOnWriteArrayList<>();
        try (TestDatabase database = TestDatabase.fresh(server)) {
            Mono<Integer> flyway = Mono.fromCallable(
                            () -> flyway(server, database).migrate().migrationsExecuted)
                    .subscribeOn(Schedulers.boundedElastic())
                    .cache();
            flyway.subscribe();
            until(database, running(server));
            Mono<Integer> here = runner(database)
                    .listener(new MigrationListener() {
                        @Override
                        public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
                            Stream.ofNullable(holder).forEach(holders::add);
                        }
                    })
                    .migrate()
                    .map(report -> report.applied().size());
            assertThat(here.block(LONG)).isZero();
            assertThat(flyway.block(LONG)).isOne();
            assertThat(holders).isNotEmpty().allSatisfy(holder -> {
                assertThat(holder.user()).isEqualTo(database.user());
                assertThat(holder.session()).matches("\\d+");
                assertThat(holder.client()).contains("127.0.0.1");
            });
        }
    }

    private static String running(Server server) {
        return server == Server.POSTGRESQL
                ? "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep(2)%'"
                : "select count(*) from information_schema.processlist where info like 'select sleep(2)%'";
    }

    private static void until(TestDatabase database, String count) {
        database.query(count, Long.class)
                .filter(counts -> counts.get(0) > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(20)))
                .block(LONG);
    }

    /** Flyway asks for the very lock that is held here, and does not get it before. */
    @Test
    void flywayWaitsForTheSameLock() throws Exception {
        MigrationTree scripts = new MigrationTree(directory);
        scripts.write("V1__slow.sql", "create table t(a int);\nselect pg_sleep(2);");
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            CountDownLatch over = new CountDownLatch(1);
            Mono<Integer> here = runner(database)
                    .migrate()
                    .map(report -> report.applied().size())
                    .cache();
            here.subscribe();
            until(database, running(Server.POSTGRESQL));
            Mono<Integer> flyway = Mono.fromCallable(
                            () -> flyway(Server.POSTGRESQL, database).migrate().migrationsExecuted)
                    .subscribeOn(Schedulers.boundedElastic())
                    .doFinally(end -> over.countDown())
                    .cache();
            flyway.subscribe();
            List<String> locks = Objects.requireNonNull(database.query(
                            "select classid || ' ' || objid || ' ' || granted from pg_locks where locktype = 'advisory'"
                                    + " and database = (select oid from pg_database where datname = current_database())",
                            String.class)
                    .block(LONG));
            assertThat(locks)
                    .containsExactly((77433833903597L >> 32) + " " + (77433833903597L & 0xffffffffL) + " true");
            assertThat(over.getCount()).isOne();
            assertThat(here.block(LONG)).isOne();
            assertThat(flyway.block(LONG)).isZero();
        }
    }
}
