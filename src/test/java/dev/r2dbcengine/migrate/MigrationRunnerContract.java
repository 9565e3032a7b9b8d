package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Migrations on every database, compared with Flyway. */
abstract class MigrationRunnerContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Server server;
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().initialSize(1).maxSize(1).build())
            .connectionFactory(options -> new Counting(ConnectionFactories.get(options), opened))
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

    /** Counts the connections that are opened. */
    private record Counting(ConnectionFactory driver, AtomicInteger opened) implements ConnectionFactory {
        @Override
        public Publisher<? extends Connection> create() {
            return Mono.fromDirect(driver.create()).doOnNext(connection -> opened.incrementAndGet());
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return driver.getMetadata();
        }
    }

    final MigrationRunnerContract script(String name, String text) throws java.io.IOException {
        files.write(name, text);
        return this;
    }

    final Flyway flyway() {
        return flyway(Flyway.configure());
    }

    private Flyway flyway(FluentConfiguration configuration) {
        return FlywayDatabase.given(configuration, server, database)
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
    void databaseMigratedByFlywayIsUpToDate() throws Exception {
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
    void databaseMigratedHereIsValidForFlyway() throws Exception {
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
    void historyTableEqualsFlyways() throws Exception {
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

    /** A query that describes the columns, indexes and rows of the history. */
    abstract String describeTable();

    @Test
    void upToDateRunIsOneQuery() throws Exception {
        threeScripts();
        get(runner.migrate());
        isOneQuery(runner);
    }

    /** No lock, no look at anything else, no connection but the pool's. */
    private void isOneQuery(MigrationRunner done) {
        // A run before has replaced the pooled connections.
        engine.ping().block(LONG);
        int before = opened.get();
        statements.clear();
        assertThat(get(done.migrate()).applied()).isEmpty();
        assertThat(statements).singleElement(InstanceOfAssertFactories.STRING).contains("flyway_schema_history");
        assertThat(opened).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 5000})
    void upToDateRunIsOneQueryForLongHistories(int applied) {
        String text = "select 1;";
        MemorySource source = new MemorySource(new TreeMap<>()).with("V1__x.sql", text);
        MigrationRunner many = runner.locations().sources(source);
        get(many.migrate());
        for (int version = 2; version <= applied; version++) {
            source.with("V" + version + "__x.sql", text);
        }
        database.execute(historyOf(applied)).block(LONG);
        isOneQuery(many);
        assertThat(get(many.info())).hasSize(applied);
    }

    /** Copies of the row of version 1, which all have the same text, for the versions from 2. */
    private String historyOf(int applied) {
        Dialect dialect = get(engine.dialect());
        String columns = Stream.of("description", "type", "checksum", "installed_by", "execution_time", "success")
                .map(dialect::quote)
                .collect(Collectors.joining(", "));
        String digits = IntStream.range(0, 10)
                .mapToObj(digit -> "select " + digit + " as d")
                .collect(Collectors.joining(" union all ", "(", ") "));
        String versions = "select a.d + 10 * b.d + 100 * c.d + 1000 * e.d as n from " + digits + "a, " + digits + "b, "
                + digits + "c, " + digits + "e";
        String table = dialect.quote("flyway_schema_history");
        return "insert into " + table + " ("
                + Stream.of("installed_rank", "version", "script")
                        .map(dialect::quote)
                        .collect(Collectors.joining(", "))
                + ", " + columns + ") select n, n, concat('V', n, '__x.sql'), " + columns + " from " + table + " h, ("
                + versions + ") v where h." + dialect.quote("version") + " = '1' and n between 2 and " + applied;
    }

    @Test
    void concurrentRunsUseAtMostThreeConnections() throws Exception {
        threeScripts();
        try (Race race = new Race(100)) {
            List<MigrationReport> reports = race.run(i -> MigrationRunner.on(engines.engine(database.url()))
                    .locations("filesystem:" + directory)
                    .migrate());
            assertThat(reports).hasSize(100);
            assertThat(reports.stream().flatMap(report -> scripts(report).stream()))
                    .containsExactly("V1__make_t.sql", "V1_1__more.sql", "R__again.sql");
        }
        assertThat(rows()).containsExactly(1, 2, 3);
        int poolAndKeeper = server == Server.H2 ? 2 : 1;
        assertThat(opened).hasValueLessThanOrEqualTo(poolAndKeeper + 3);
    }

    @Test
    void concurrentRunsOnEmptyDatabaseSucceed() throws Exception {
        threeScripts();
        for (int round = Proof.rounds(3, 100); round > 0; round--) {
            ReactiveEngineCache first = ReactiveEngineCache.create();
            ReactiveEngineCache second = ReactiveEngineCache.create();
            try (TestDatabase empty = TestDatabase.fresh(server).keepAlive();
                    Race race = new Race(2)) {
                List<MigrationReport> reports =
                        race.run(i -> MigrationRunner.on((i == 0 ? first : second).engine(empty.url()))
                                .locations("filesystem:" + directory)
                                .migrate());
                assertThat(reports.stream().flatMap(report -> scripts(report).stream()))
                        .containsExactly("V1__make_t.sql", "V1_1__more.sql", "R__again.sql");
                assertThat(get(empty.query("select a from t order by a", Integer.class)))
                        .containsExactly(1, 2, 3);
            } finally {
                first.close().then(second.close()).block(LONG);
            }
        }
    }

    /** An edited file is reported, a changed repeatable runs again, and an out-of-order version needs its option. */
    @Test
    void changedFilesAreReportedOrRunAgain() throws Exception {
        script("V1__t.sql", "create table t(a int);")
                .script("V3__u.sql", "create table u(a int);")
                .script("R__fill.sql", "insert into t values (1);");
        get(runner.migrate());
        script("V1__t.sql", "create table t(b int);");
        StepVerifier.create(runner.migrate())
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessageContainingAll("version 1", "checksum", "repair"));
        script("V1__t.sql", "create table t(a int);").script("R__fill.sql", "insert into t values (2);");
        assertThat(get(runner.migrate()).applied())
                .extracting(done -> done.migration().script())
                .containsExactly("R__fill.sql");
        script("V2__late.sql", "insert into t values (3);");
        StepVerifier.create(runner.migrate())
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessageContainingAll("version 2", "outOfOrder"));
        assertThat(get(runner.outOfOrder(true).migrate()).applied()).hasSize(1);
        assertThat(get(database.query("select a from t order by a", Integer.class)))
                .containsExactly(1, 2, 3);
    }

    /** The second begins after DDL of the first; that goes on once the second is seen to wait. */
    @Test
    void lockOutlivesDdl() throws Exception {
        script("V1__t.sql", "create table t(a int);").script("V3__more.sql", lastOfLocked());
        ReactiveEngineCache others = ReactiveEngineCache.create();
        Sinks.Empty<Void> awaited = Sinks.empty();
        Sinks.One<MigrationReport> second = Sinks.one();
        MigrationRunner other = MigrationRunner.on(others.engine(database.url()))
                .locations("filesystem:" + directory)
                .listener(new MigrationListener() {
                    @Override
                    public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
                        awaited.tryEmitEmpty();
                    }
                });
        Code held = new Code(engine -> engine.sql("create table u(a int)")
                .update()
                .then(engine.sql("insert into u values (1)").update())
                .doOnSuccess(done -> other.migrations(
                                new Code(none -> Mono.error(() -> new AssertionError("applied twice"))))
                        .migrate()
                        .subscribe(second::tryEmitValue, second::tryEmitError))
                .then(awaited.asMono()));
        assertThat(get(runner.migrations(held).migrate()).applied()).hasSize(3);
        assertThat(get(second.asMono()).applied()).isEmpty();
        assertThat(get(database.query("select a from u", Integer.class))).containsExactly(1);
        others.close().block(LONG);
    }

    /** The last statement of the script that runs while another runner waits. */
    String lastOfLocked() {
        return "create table v(a int);";
    }

    record Code(Function<Engine, Publisher<?>> body) implements Migration {
        @Override
        public MigrationVersion version() {
            return MigrationVersion.of("2");
        }

        @Override
        public String description() {
            return "code";
        }

        @Override
        public Publisher<?> migrate(Engine engine) {
            return body.apply(engine);
        }
    }

    static Stream<Function<Engine, Publisher<?>>> errors() {
        return Stream.of(
                engine -> {
                    throw new AssertionError("thrown");
                },
                engine -> {
                    throw new StackOverflowError("thrown");
                },
                engine -> {
                    throw new NoClassDefFoundError("thrown");
                },
                engine -> insert(engine).then(Mono.error(() -> new AssertionError("thrown"))),
                engine -> insert(engine).doOnNext(done -> {
                    throw new AssertionError("thrown");
                }));
    }

    private static Mono<Long> insert(Engine engine) {
        return engine.sql("insert into t values (2)").update();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void failingCodeIsRolledBackAndTheNextRunContinues(Function<Engine, Publisher<?>> body) throws Exception {
        script("V1__t.sql", "create table t(a int);").script("V3__more.sql", "insert into t values (3);");
        get(engine.pool());
        int before = get(database.sessions());
        StepVerifier.create(runner.migrations(new Code(body)).migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContaining("the migration to version 2 failed")
                        .hasRootCauseInstanceOf(Error.class)
                        .hasRootCauseMessage("thrown"))
                .verify(LONG);
        assertThat(rows()).isEmpty();
        assertThat(get(database.sessionsSettlingAt(before))).isEqualTo(before);
        MigrationRunner corrected = runner.migrations(new Code(MigrationRunnerContract::insert));
        if (!get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL)) {
            assertThat(get(corrected.repair()).removed()).hasSize(1);
        }
        assertThat(get(corrected.migrate()).applied()).hasSize(2);
        assertThat(rows()).containsExactly(2, 3);
    }

    @Test
    void concurrentRunnersApplyEachMigrationOnce() throws Exception {
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
    void transactionScopedLockIsSupportedWhereAvailable() throws Exception {
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
    void errorRaisedByScriptIsNotALostConnection() throws Exception {
        script("V1__t.sql", "create table t(a int);").script("V2__broken.sql", raisedError());
        boolean undone = get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL);
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContaining("V2__broken.sql, line 1: the migration to version 2 failed")
                        .hasMessageContaining(undone ? "was rolled back" : "call repair()")
                        .hasMessageNotContaining("the connection was lost"))
                .verify(LONG);
    }

    /** Fails with an error that drivers do not know. */
    abstract String raisedError();

    @Test
    void failingStatementIsReportedWithFileAndLine() throws Exception {
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
    void cancelEndsTheRunAfterTheCurrentStatement() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        get(runner.info());
        int before = get(database.sessions());
        MigrationRunner listened = runner.listener(new MigrationListener() {
            @Override
            public void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
                failed.countDown();
            }
        });
        try (Gate gate = Gate.shut(server, database)) {
            script("V1__a.sql", "create table t(a int);\n" + gate.statement() + ";\ninsert into t values (1);")
                    .script("V2__b.sql", "insert into t values (2);");
            Disposable run = listened.migrate().subscribe();
            gate.reached();
            run.dispose();
            assertThat(failed.getCount()).isOne();
        }
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

    /** The listener reports what the history has. */
    @ParameterizedTest
    @ValueSource(strings = {"alone", "outside", "group", "callback", "undo"})
    void migrationCancelledAtItsLastStatementIsRolledBackOrReportedAsApplied(String how) throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        CountDownLatch ended = new CountDownLatch(1);
        MigrationRunner listened = runner.group(how.equals("group")).listener(events(events, ended));
        boolean undo = how.equals("undo");
        try (Gate gate = Gate.shut(server, database)) {
            script("V1__a.sql", "create table t(a int);");
            if (undo) {
                script("U1__a.sql", "drop table t;\n" + gate.statement());
                get(runner.migrate());
            } else if (how.equals("callback")) {
                script("afterEachMigrate.sql", gate.statement());
            } else {
                script("V2__b.sql", "create table u(a int);\n" + gate.statement());
            }
            if (how.equals("outside")) {
                script("V2__b.sql.conf", "executeInTransaction=false");
            }
            Disposable run = (undo ? listened.undo("0?") : listened.migrate()).subscribe();
            gate.reached();
            run.dispose();
        }
        assertThat(ended.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String last = how.equals("alone") || how.equals("outside") || how.equals("group") ? "2" : "1";
        boolean rolledBack = get(engine.dialect()).has(Feature.TRANSACTIONAL_DDL) && !how.equals("outside");
        assertThat(events)
                .endsWith((rolledBack ? "failed " : "applied ") + last)
                .doesNotContain((rolledBack ? "applied " : "failed ") + last);
        List<String> applied = events.stream()
                .filter(event -> event.startsWith("applied "))
                .map(event -> event.substring("applied ".length()))
                .toList();
        assertThat(get(runner.info()))
                .filteredOn(
                        status -> status.applied() != null && status.applied().success())
                .extracting(status -> String.valueOf(status.version()))
                .isEqualTo(!undo ? applied : rolledBack ? List.of("1") : List.of());
    }

    static MigrationListener events(List<String> events, CountDownLatch ended) {
        return new MigrationListener() {
            @Override
            public void applied(ResolvedMigration migration, Duration duration) {
                events.add("applied " + migration.version());
            }

            @Override
            public void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
                events.add("failed " + migration.version());
            }

            @Override
            public void ended() {
                ended.countDown();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failingUnitInCodeRollsBackToItsSavepoint(boolean byWork) throws Exception {
        script("V1__t.sql", "create table t(a int)");
        MigrationRunner with = runner.migrations(new Code(engine -> insert(engine)
                .then(engine.unitOfWork()
                        .execute(work -> (byWork
                                        ? work.sql("insert into t values (99)")
                                        : engine.sql("insert into t values (99)"))
                                .update()
                                .then(Mono.<Long>error(new IllegalStateException("swallowed"))))
                        .onErrorComplete())
                .then(engine.unitOfWork()
                        .execute(work -> engine.sql("insert into t values (4)").update()))));
        assertThat(get(with.migrate()).applied()).hasSize(2);
        assertThat(rows()).containsExactly(2, 4);
    }

    /** On MariaDB, DDL commits and ends the savepoint. */
    @Test
    void unitInCodeWithDdlFailsWhereDdlEndsSavepoints() {
        Mono<MigrationReport> migrate = runner.migrations(new Code(engine -> engine.unitOfWork()
                        .execute(work -> work.sql("create table t(a int)").update())))
                .migrate();
        if (server.isMySqlFamily()) {
            StepVerifier.create(migrate).verifyError(MigrationException.class);
        } else {
            assertThat(get(migrate).applied()).hasSize(1);
        }
    }

    @Test
    void initializerMigratesBeforeSubscribersGetTheEngine() throws Exception {
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
    void codeSharesTheTransactionOfItsRowOrHasNone() throws Exception {
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
    void missingSchemaIsCreatedFirst() throws Exception {
        String schema = "Own:" + database.name();
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
                            + (server.isMySqlFamily() ? "" : " cascade"))
                    .update());
        }
    }

    @Test
    void databaseWithObjectsNeedsBaseline() throws Exception {
        threeScripts();
        database.execute("create table t(a int, b varchar(100))").block(LONG);
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessageContainingAll("is not empty: 1 object.", "baselineOnMigrate(true)"))
                .verify(LONG);
        MigrationRunner based = runner.baselineOnMigrate(true);
        assertThat(scripts(get(based.migrate()))).containsExactly("V1_1__more.sql", "R__again.sql");
        assertThat(get(based.migrate()).applied()).isEmpty();
        assertThat(Row.ofFlyway(flyway())).isEqualTo(Row.of(get(based.info())));
    }

    @Test
    void repairMarksMissingAndAlignsChanged() throws Exception {
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
    void optionsSelectMigrations() throws Exception {
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

    /** State that a session reads when it begins, such as PostgreSQL's types for the driver, is outdated after a run. */
    @Test
    void runThatAppliesMigrationsReplacesPooledConnections() throws Exception {
        Connection before = pooled();
        assertThat(pooled()).isSameAs(before);

        script("V1__t.sql", "create table t(a int)");
        get(runner.migrate());
        Connection after = pooled();
        assertThat(after).isNotSameAs(before);

        get(runner.migrate());
        assertThat(pooled()).isSameAs(after);

        script("afterMigrate.sql", "insert into t values (1)");
        get(runner.migrate());
        Connection afterCallback = pooled();
        assertThat(afterCallback).isNotSameAs(after);

        script("V2__fails.sql", "this is no SQL");
        StepVerifier.create(runner.migrate()).verifyError(MigrationException.class);
        assertThat(pooled()).isNotSameAs(afterCallback);
    }

    private Connection pooled() {
        return get(engine.pool()
                .flatMap(pool ->
                        Mono.usingWhen(pool.create(), lent -> Mono.just(Dialect.unwrap(lent)), Connection::close)));
    }
}
