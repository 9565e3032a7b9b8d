package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.R2dbcException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What holds of migrations on every real database. Flyway is the judge. */
abstract class MigrationRunnerContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Server server;
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .listener(new SqlListener() {
                @Override
                public void started(SqlExecution execution) {
                    statements.add(execution.toString());
                }
            })
            .build();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    TestDatabase database;
    Engine engine;
    MigrationRunner runner;
    private MigrationTree files;

    @SuppressWarnings("NullAway.Init") // before each test
    MigrationRunnerContract(Server server) {
        this.server = server;
    }

    @BeforeEach
    void fresh() {
        database = TestDatabase.fresh(server).keepAlive();
        engine = engines.engine(database.url());
        files = new MigrationTree(directory);
        runner = MigrationRunner.on(engine).locations("filesystem:" + directory);
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
        database.close();
    }

    /** A statement that runs for two seconds. */
    abstract String slow();

    /** A query that counts the sessions in which that statement runs, the asking one left out. */
    abstract String runningSlowly();

    final MigrationRunnerContract script(String name, String text) throws java.io.IOException {
        files.write(name, text);
        return this;
    }

    private Flyway flyway() {
        return flyway(Flyway.configure());
    }

    private Flyway flyway(FluentConfiguration configuration) {
        String url = server == Server.H2
                ? "jdbc:h2:mem:" + database.name()
                : "jdbc:" + (server == Server.MARIADB ? "mariadb" : "postgresql") + "://" + database.host() + ":"
                        + database.port() + "/" + database.name();
        boolean open = server == Server.H2;
        return configuration
                .dataSource(url, open ? null : database.user(), open ? null : database.password())
                .locations("filesystem:" + directory)
                .load();
    }

    private void threeScripts() throws java.io.IOException {
        script("V1__make_t.sql", "create table t(a int, b varchar(100));\ninsert into t values (1, 'a;b');")
                .script("V1_1__more.sql", "-- more\ninsert into t values (2, '${flyway:table}');")
                .script("R__again.sql", "insert into t values (3, 'x');");
    }

    final <T> T get(Mono<T> of) {
        return Objects.requireNonNull(of.block(LONG));
    }

    private List<Integer> rows() {
        return get(database.query("select a from t order by a", Integer.class));
    }

    private static List<String> scripts(MigrationReport report) {
        return report.applied().stream()
                .map(Executed::migration)
                .map(ResolvedMigration::script)
                .toList();
    }

    @Test
    void whatFlywayMigratedIsTakenAsItIs() throws Exception {
        threeScripts();
        flyway().migrate();
        assertThat(get(runner.validate()).problems()).isEmpty();
        assertThat(Row.of(get(runner.info()))).isEqualTo(Row.ofFlyway(flyway()));
        assertThat(get(runner.migrate()).applied()).isEmpty();
        script("V2__next.sql", "insert into t values (4, null);");
        assertThat(scripts(get(runner.migrate()))).containsExactly("V2__next.sql");
        assertThat(Row.of(get(runner.info()))).isEqualTo(Row.ofFlyway(flyway()));
    }

    @Test
    void flywayTakesBackWhatWasMigratedHere() throws Exception {
        threeScripts();
        assertThat(scripts(get(runner.migrate()))).containsExactly("V1__make_t.sql", "V1_1__more.sql", "R__again.sql");
        Flyway flyway = flyway();
        assertThat(flyway.validateWithResult().validationSuccessful).isTrue();
        assertThat(Row.ofFlyway(flyway)).isEqualTo(Row.of(get(runner.info())));
        assertThat(Arrays.stream(flyway.info().all()).map(info -> info.getInstalledBy() + info.getInstalledOn()))
                .doesNotContainNull();
        script("V2__next.sql", "insert into t values (4, null);");
        assertThat(flyway().migrate().migrationsExecuted).isEqualTo(1);
        assertThat(get(runner.migrate()).applied()).isEmpty();
        assertThat(rows()).containsExactly(1, 2, 3, 4);
    }

    /** Two databases, one from each: not a column, key or index differs. */
    @Test
    void theHistoryTableIsFlyways() throws Exception {
        threeScripts();
        get(runner.migrate());
        List<String> ours = table();
        database.close();
        database = TestDatabase.fresh(server).keepAlive();
        flyway().migrate();
        assertThat(ours).isEqualTo(table()).hasSizeGreaterThan(10);
    }

    private List<String> table() {
        return get(database.query(describeTable(), String.class));
    }

    /** A query whose text tells of the columns, indexes and rows of the history. */
    abstract String describeTable();

    @Test
    void nothingToDoIsOneQuery() throws Exception {
        threeScripts();
        get(runner.migrate());
        statements.clear();
        assertThat(get(runner.migrate()).applied()).isEmpty();
        assertThat(statements).hasSize(1);
    }

    @Test
    void eachMigrationIsAppliedOnceByManyAtOnce() throws Exception {
        threeScripts();
        List<ReactiveEngineCache> processes = IntStream.range(0, 4)
                .mapToObj(i -> ReactiveEngineCache.create())
                .toList();
        try (Race race = new Race(32)) {
            List<MigrationReport> reports =
                    race.run(i -> MigrationRunner.on(processes.get(i % 4).engine(database.url()))
                            .locations("filesystem:" + directory)
                            .listener(new MigrationListener() {
                                @Override
                                public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {}
                            })
                            .migrate());
            assertThat(reports).hasSize(32);
            assertThat(reports.stream().flatMap(report -> scripts(report).stream()))
                    .containsExactly("V1__make_t.sql", "V1_1__more.sql", "R__again.sql");
        }
        assertThat(rows()).containsExactly(1, 2, 3);
        Flux.fromIterable(processes).flatMap(ReactiveEngineCache::close).blockLast(LONG);
        assertThat(get(database.sessionsSettlingAt(0))).isZero();
    }

    /** One migration after the other, each with a look of its own, and yet not more than the first look had. */
    @Test
    void theLockCanBeThatOfEachTransactionWhereThereIsOne() throws Exception {
        threeScripts();
        MigrationRunner parts = runner.lock(LockScope.TRANSACTION);
        if (!get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL)) {
            StepVerifier.create(parts.migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(InvalidMigrationException.class)
                            .hasMessageContaining("set lock(SESSION)"))
                    .verify(LONG);
            return;
        }
        assertThat(scripts(get(parts.target("next").migrate()))).containsExactly("V1__make_t.sql", "R__again.sql");
        assertThat(scripts(get(parts.migrate()))).containsExactly("V1_1__more.sql");
        assertThat(Row.ofFlyway(flyway())).isEqualTo(Row.of(get(parts.info())));
        script("V1__make_t.sql", "-- changed");
        assertThat(get(parts.repair()).aligned()).hasSize(1);
        assertThat(get(parts.migrate()).applied()).isEmpty();
    }

    @Test
    void aFailingStatementIsToldWithItsPlace() throws Exception {
        threeScripts();
        script("V2__broken.sql", "create table u(a int);\ninsert into u values (1);\n\nsyntax error;\n");
        boolean undone = get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL);
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll("V2__broken.sql, line 4: the migration to version 2 failed")
                        .hasMessageContaining(undone ? "was rolled back" : "call repair()")
                        .hasCauseInstanceOf(R2dbcException.class)
                        .asInstanceOf(type(MigrationException.class))
                        .satisfies(failure -> {
                            assertThat(failure.statement()).isEqualTo("syntax error");
                            assertThat(failure.line()).isEqualTo(4);
                            assertThat(Objects.requireNonNull(failure.failed()).script())
                                    .isEqualTo("V2__broken.sql");
                            assertThat(failure.applied()).hasSize(2);
                        }))
                .verify(LONG);
        assertThat(Row.of(get(runner.info()))).isEqualTo(Row.ofFlyway(flyway()));
        if (undone) {
            StepVerifier.create(database.query("select a from u", Integer.class))
                    .verifyError(R2dbcException.class);
        } else {
            StepVerifier.create(runner.migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(InvalidMigrationException.class)
                            .hasMessageContainingAll(
                                    "migration to version 2 has failed half-way", "repair the history"))
                    .verify(LONG);
            database.execute("drop table u").block(LONG);
            assertThat(get(runner.repair()).removed())
                    .extracting(AppliedMigration::script)
                    .containsExactly("V2__broken.sql");
        }
        script("V2__broken.sql", "create table u(a int);\ninsert into u values (1);");
        assertThat(scripts(get(runner.migrate()))).containsExactly("V2__broken.sql", "R__again.sql");
        assertThat(Row.ofFlyway(flyway())).isEqualTo(Row.of(get(runner.info())));
    }

    @Test
    void aCancelEndsTheRunAfterTheStatementThatRuns() throws Exception {
        script("V1__a.sql", "create table t(a int);\n" + slow() + ";\ninsert into t values (1);")
                .script("V2__b.sql", "insert into t values (2);");
        CountDownLatch failed = new CountDownLatch(1);
        get(runner.info());
        int before = get(database.sessions());
        MigrationRunner listened = runner.listener(new MigrationListener() {
            @Override
            public void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
                failed.countDown();
            }
        });
        Disposable run = listened.migrate().subscribe();
        get(database.query(runningSlowly(), Long.class)
                .filter(running -> running.get(0) > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10))));
        run.dispose();
        assertThat(failed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(get(database.sessionsSettlingAt(before))).isEqualTo(before);
        if (get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL)) {
            assertThat(get(runner.migrate()).applied()).hasSize(2);
            assertThat(rows()).containsExactly(1, 2);
        } else {
            assertThat(rows()).isEmpty();
            StepVerifier.create(runner.migrate()).verifyError(InvalidMigrationException.class);
        }
    }

    @Test
    void anInitializerMigratesBeforeAnybodyGetsTheEngine() throws Exception {
        threeScripts();
        ReactiveEngineCache migrated = ReactiveEngineCache.builder()
                .initializer(opened -> MigrationRunner.on(opened)
                        .locations("filesystem:" + directory)
                        .migrate())
                .build();
        try (Race race = new Race(8)) {
            List<Long> counts = race.run(i -> migrated.engine(database.url())
                    .sql("select count(*) from t")
                    .map(Long.class)
                    .one());
            assertThat(counts).hasSize(8).containsOnly(3L);
        } finally {
            migrated.close().block(LONG);
        }
    }

    @Test
    void codeRunsInTheTransactionOfItsRowOrOutsideOfOne() throws Exception {
        script("V1__t.sql", "create table t(a int)");
        MigrationRunner with = runner.migrations(new V2__Code(), new V3__Outside());
        assertThat(get(with.migrate()).applied()).hasSize(3);
        assertThat(rows()).containsExactly(2, 3);
        assertThat(get(with.migrate()).applied()).isEmpty();
        assertThat(get(with.info()))
                .extracting(status -> status.type().name(), MigrationStatus::script)
                .contains(org.assertj.core.groups.Tuple.tuple("JDBC", V2__Code.class.getName()));
    }

    static final class V2__Code implements Migration {
        @Override
        public Publisher<?> migrate(Engine engine) {
            return engine.sql("insert into t values (:a)").bind("a", 2).update();
        }
    }

    static final class V3__Outside implements Migration {
        @Override
        public boolean inTransaction() {
            return false;
        }

        @Override
        public Publisher<?> migrate(Engine engine) {
            return engine.unitOfWork()
                    .execute(work -> work.sql("insert into t values (3)").update());
        }
    }

    @Test
    void aSchemaThatIsNotThereIsCreatedAndComesFirst() throws Exception {
        String schema = "Own" + database.name();
        threeScripts();
        script("V3__leave.sql", server == Server.POSTGRESQL ? "set search_path = pg_catalog" : "select 1")
                .script("V4__back.sql", "insert into t values (4, '${flyway:defaultSchema}')");
        MigrationRunner there = runner.schemas(schema);
        try {
            assertThat(get(there.migrate()).applied()).hasSize(5);
            Flyway flyway = flyway(Flyway.configure().schemas(schema));
            assertThat(Row.ofFlyway(flyway)).isEqualTo(Row.of(get(there.info())));
            assertThat(flyway.validateWithResult().validationSuccessful).isTrue();
            assertThat(get(there.migrate()).applied()).isEmpty();
            StepVerifier.create(
                            runner.schemas("none" + schema).createSchemas(false).migrate())
                    .expectErrorSatisfies(
                            e -> assertThat(e).hasMessageContainingAll("none" + schema, "createSchemas(true)"))
                    .verify(LONG);
        } finally {
            get(engine.sql("drop schema " + get(engine.dialect()).quote(schema)
                            + (server == Server.MARIADB ? "" : " cascade"))
                    .update());
        }
    }

    @Test
    void aDatabaseThatIsInUseNeedsABaseline() throws Exception {
        threeScripts();
        database.execute("create table t(a int, b varchar(100))").block(LONG);
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessageContainingAll("1 objects", "baselineOnMigrate(true)"))
                .verify(LONG);
        MigrationRunner based = runner.baselineOnMigrate(true);
        assertThat(scripts(get(based.migrate()))).containsExactly("V1_1__more.sql", "R__again.sql");
        assertThat(get(based.migrate()).applied()).isEmpty();
        assertThat(Row.ofFlyway(flyway())).isEqualTo(Row.of(get(based.info())));
    }

    @Test
    void repairMarksWhatIsGoneAndTakesOverWhatHasChanged() throws Exception {
        threeScripts();
        get(runner.migrate());
        java.nio.file.Files.delete(directory.resolve("V1_1__more.sql"));
        script("V1__make_t.sql", "-- changed").script("V2__next.sql", "insert into t values (4, null)");
        StepVerifier.create(runner.migrate()).verifyError(InvalidMigrationException.class);
        RepairReport repaired = get(runner.repair());
        assertThat(repaired.deleted()).extracting(AppliedMigration::script).containsExactly("V1_1__more.sql");
        assertThat(repaired.aligned()).extracting(AppliedMigration::script).containsExactly("V1__make_t.sql");
        assertThat(scripts(get(runner.migrate()))).containsExactly("V2__next.sql");
        assertThat(Row.ofFlyway(flyway())).isEqualTo(Row.of(get(runner.info())));
        assertThat(flyway().validateWithResult().validationSuccessful).isTrue();
    }

    @Test
    void optionsSayWhatIsApplied() throws Exception {
        threeScripts();
        script("V3__own.sql", "insert into t values (5, '#[name]')");
        MigrationRunner own = runner.placeholderPrefix("#[")
                .placeholderSuffix("]")
                .placeholders(Map.of("NAME", "value"))
                .installedBy("somebody");
        assertThat(get(own.plan()).pending()).hasSize(4);
        assertThat(scripts(get(own.cherryPick("1").migrate()))).containsExactly("V1__make_t.sql");
        assertThat(scripts(get(own.target("1.1").migrate()))).containsExactly("V1_1__more.sql", "R__again.sql");
        assertThat(scripts(get(own.skipExecutingMigrations(true).migrate()))).containsExactly("V3__own.sql");
        assertThat(rows()).containsExactly(1, 2, 3);
        assertThat(get(own.info()).stream()
                        .map(status -> Objects.requireNonNull(status.applied()).installedBy())
                        .collect(Collectors.toSet()))
                .containsExactly("somebody");
    }
}
