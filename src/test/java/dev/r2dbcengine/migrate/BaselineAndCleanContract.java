package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Flyway is the judge of {@link MigrationRunner#baseline()} and {@link MigrationRunner#clean()}: each has a database. */
abstract class BaselineAndCleanContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Server server;
    private final String objects;
    private final String left;
    private final ReactiveEngineCache engines = ReactiveEngineCache.create();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private TestDatabase flywaysServer;
    private TestDatabase ourServer;
    private FlywayDatabase flyways;
    FlywayDatabase ours;
    MigrationRunner runner;
    private MigrationTree files;

    /**
     * On one database.
     *
     * @param objects statements that make one object of each kind, parted by empty lines
     * @param left a query for what is not of the database's own making, beside what {@code clean} is to drop
     */
    @SuppressWarnings("NullAway.Init") // before each test
    BaselineAndCleanContract(Server server, String objects, String left) {
        this.server = server;
        this.objects = objects;
        this.left = left;
    }

    @BeforeEach
    void fresh() throws SQLException {
        flywaysServer = TestDatabase.fresh(server).keepAlive();
        ourServer = TestDatabase.fresh(server).keepAlive();
        flyways = new FlywayDatabase(server, flywaysServer);
        ours = new FlywayDatabase(server, ourServer);
        files = new MigrationTree(directory);
        runner = MigrationRunner.on(engines.engine(ourServer.url())).locations("filesystem:" + directory);
    }

    @AfterEach
    void close() throws SQLException {
        engines.close().block(LONG);
        flyways.close();
        ours.close();
        flywaysServer.close();
        ourServer.close();
    }

    private FluentConfiguration configuration() {
        return FlywayDatabase.given(Flyway.configure(), server, flywaysServer).locations("filesystem:" + directory);
    }

    /** Both do it; either both succeed or both refuse; the histories are the same. */
    private boolean both(
            UnaryOperator<FluentConfiguration> theirs,
            Consumer<Flyway> their,
            UnaryOperator<MigrationRunner> our,
            Function<MigrationRunner, Mono<?>> own)
            throws SQLException {
        FlywayException refused = null;
        try {
            their.accept(theirs.apply(configuration()).load());
        } catch (FlywayException e) {
            refused = e;
        }
        Boolean done = own.apply(our.apply(runner))
                .then(Mono.just(true))
                .onErrorResume(InvalidMigrationException.class, e -> Mono.just(false))
                .onErrorResume(MigrationException.class, e -> Mono.just(false))
                .block(LONG);
        assertThat(done).as("Flyway: %s", refused).isEqualTo(refused == null);
        assertThat(ours.historyWithoutTimes()).isEqualTo(flyways.historyWithoutTimes());
        return refused == null;
    }

    private boolean bothBaseline(String version, String description) throws SQLException {
        return both(
                theirs -> theirs.baselineVersion(version).baselineDescription(description),
                Flyway::baseline,
                our -> our.baselineVersion(version).baselineDescription(description),
                MigrationRunner::baseline);
    }

    private boolean bothMigrate() throws SQLException {
        return both(theirs -> theirs, Flyway::migrate, our -> our, MigrationRunner::migrate);
    }

    private boolean bothClean() throws SQLException {
        return both(
                theirs -> theirs.cleanDisabled(false),
                Flyway::clean,
                our -> our.cleanDisabled(false),
                MigrationRunner::clean);
    }

    private void execute(String sql) throws SQLException {
        flyways.execute(flyways.quoted(sql));
        ours.execute(ours.quoted(sql));
    }

    @Test
    void baselineStartsHistory() throws Exception {
        execute("create table was_there (a int)");
        files.write("V1__was_there.sql", "create table was_there (a int);");
        files.write("V2__next.sql", "create table next (a int);");

        assertThat(bothBaseline("1", "as it was")).isTrue();
        assertThat(bothBaseline("1", "as it was")).as("once more").isTrue();
        assertThat(bothMigrate()).isTrue();
        assertThat(bothBaseline("1", "as it was"))
                .as("with migrations after it")
                .isTrue();
    }

    @Test
    void existingBaselineIsNotChanged() throws Exception {
        assertThat(bothBaseline("2", "this")).isTrue();
        assertThat(bothBaseline("3", "this")).isFalse();
        assertThat(bothBaseline("2", "that")).isFalse();
    }

    @Test
    void historyWithMigrationsIsNotBaselined() throws Exception {
        files.write("V1__a.sql", "create table a (a int);");
        bothMigrate();

        assertThat(bothBaseline("1", "too late")).isFalse();
    }

    @Test
    void emptyHistoryIsNotBaselined() throws Exception {
        for (TestDatabase database : List.of(flywaysServer, ourServer)) {
            FlywayDatabase.given(Flyway.configure(), server, database)
                    .locations("filesystem:" + directory)
                    .load()
                    .migrate();
        }

        assertThat(bothBaseline("1", "of nothing")).isFalse();
    }

    private boolean bothMigrateOnBaseline() throws SQLException {
        return both(
                theirs -> theirs.baselineOnMigrate(true),
                Flyway::migrate,
                our -> our.baselineOnMigrate(true),
                MigrationRunner::migrate);
    }

    /** Objects that a failed migration has left do not count as a database that was in use before. */
    @Test
    void historyEmptiedByRepairIsNotBaselined() throws Exception {
        files.write("V1__a.sql", "create table a (a int);\ninsert into nowhere values (1);");
        files.write("V2__b.sql", "create table b (a int);");
        assertThat(bothMigrateOnBaseline()).isFalse();
        assertThat(both(theirs -> theirs, Flyway::repair, our -> our, MigrationRunner::repair))
                .isTrue();
        files.write("V1__a.sql", "create table if not exists a (a int);");

        assertThat(bothMigrateOnBaseline()).isTrue();

        assertThat(ours.history())
                .extracting(AppliedMigration::script)
                .contains("V1__a.sql", "V2__b.sql")
                .doesNotContain("<< Flyway Baseline >>");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void skippedExecutionNeedsNoBaseline(boolean baselineOnMigrate) throws Exception {
        execute("create table was_there (a int)");
        files.write("V1__was_there.sql", "create table was_there (a int);");
        UnaryOperator<MigrationRunner> records =
                our -> our.baselineOnMigrate(baselineOnMigrate).skipExecutingMigrations(true);
        assertThat(Objects.requireNonNull(records.apply(runner).plan().block(LONG))
                        .pending())
                .hasSize(1);

        assertThat(both(
                        theirs -> theirs.baselineOnMigrate(baselineOnMigrate).skipExecutingMigrations(true),
                        Flyway::migrate,
                        records,
                        MigrationRunner::migrate))
                .isTrue();
    }

    /** Flyway's {@code info} sees the baseline, which its {@code migrate} forgets when it creates a schema. */
    @Test
    void existingObjectsAreBaselinedWhileAnotherSchemaIsCreated() throws Exception {
        String kept = ourServer.name() + "_Kept";
        ours.execute(ours.quoted("create schema \"" + kept + "\""));
        ours.execute(ours.quoted("create table \"" + kept + "\".\"Old\" (a int)"));
        files.write("V1__old.sql", "create table old (a int);").write("V2__b.sql", "create table b (a int);");
        MigrationRunner runs = runner.schemas(ourServer.name() + "_Made", kept)
                .baselineOnMigrate(true)
                .cleanDisabled(false);
        MigrationPlan plan = Objects.requireNonNull(runs.plan().block(LONG));
        assertThat(plan.pending()).extracting(MigrationStatus::script).containsExactly("V2__b.sql");

        MigrationReport done = Objects.requireNonNull(runs.migrate().block(LONG));

        assertThat(done.applied()).extracting(Executed::rank).containsExactly(2);
        assertThat(Objects.requireNonNull(runs.info().block(LONG)))
                .extracting(status -> status.state().displayName())
                .containsExactly("Ignored (Baseline)", "Success", "Baseline", "Success");
        runs.clean().as(StepVerifier::create).verifyComplete();
        ours.execute(ours.quoted("drop schema \"" + kept + "\""));
    }

    @Test
    void cleanDropsEveryObject() throws Exception {
        List<String> empty = left(ours);
        files.write("V1__a.sql", "create table a (a int);");
        bothMigrate();
        for (String statement : objects.split("\n\n", -1)) {
            execute(statement);
        }
        execute("create table \"with:colon\" (a int)");
        assertThat(left(ours)).hasSizeGreaterThan(empty.size() + 5);
        assertThat(drops()).hasSizeGreaterThan(5).first(STRING).contains("flyway_schema_history");

        assertThat(bothClean()).isTrue();

        assertThat(left(ours)).isEqualTo(empty);
        assertThat(bothMigrate()).as("again").isTrue();
        assertThat(bothClean()).isTrue();
        assertThat(bothClean()).as("of nothing").isTrue();
    }

    /** The history goes first, so that a clean which is broken off leaves none that speaks of what is gone. */
    private List<String> drops() {
        Engine engine = engines.engine(ourServer.url());
        HistoryTable table =
                new HistoryTable(Objects.requireNonNull(engine.dialect().block(LONG)), null, "flyway_schema_history");
        SessionState session =
                Objects.requireNonNull(SessionState.of(engine, table).block(LONG));
        return engine.sql(table.text(MigrationSql.DROPS))
                .bindAll(Map.of("schema", Objects.requireNonNull(session.schema()), "table", table.name()))
                .map(String.class)
                .all()
                .filter(statement -> statement.startsWith("drop"))
                .collectList()
                .blockOptional(LONG)
                .orElseThrow();
    }

    /** Schemas are the server's on MariaDB: each of the two has its own. */
    @Test
    void cleanDropsSchemasCreatedByMigrations() throws Exception {
        files.write("V1__a.sql", "create table a (a int);");
        String theirs = flywaysServer.name() + "_Made";
        String own = ourServer.name() + "_Made";
        for (FlywayDatabase database : List.of(flyways, ours)) {
            String name = database == ours ? ourServer.name() : flywaysServer.name();
            database.execute(database.quoted("create schema \"" + name + "_Kept\""));
            database.execute(database.quoted("create table \"" + name + "_Kept\".\"Old\" (a int)"));
        }
        Flyway flyway = configuration()
                .schemas(theirs, flywaysServer.name() + "_Kept")
                .baselineOnMigrate(true)
                .baselineVersion("0.1")
                .cleanDisabled(false)
                .load();
        MigrationRunner runs = runner.schemas(own, ourServer.name() + "_Kept")
                .baselineOnMigrate(true)
                .baselineVersion("0.1")
                .cleanDisabled(false);

        flyway.migrate();
        runs.migrate().as(StepVerifier::create).expectNextCount(1).verifyComplete();
        assertThat(schemas(ours)).isEqualTo(schemas(flyways)).containsExactly("Kept 1", "Made 2");
        flyway.clean();
        runs.clean().as(StepVerifier::create).verifyComplete();

        assertThat(schemas(ours)).isEqualTo(schemas(flyways)).containsExactly("Kept 0");
        ours.execute(ours.quoted("drop schema \"" + ourServer.name() + "_Kept\""));
        flyways.execute(flyways.quoted("drop schema \"" + flywaysServer.name() + "_Kept\""));
    }

    private List<String> schemas(FlywayDatabase database) throws SQLException {
        String prefix = (database == ours ? ourServer.name() : flywaysServer.name()) + "_";
        List<String> lines = new ArrayList<>();
        try (Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery(
                        "select schema_name, (select count(*) from information_schema.tables t where t.table_schema ="
                                + " s.schema_name) from information_schema.schemata s order by 1")) {
            while (rows.next()) {
                if (rows.getString(1).startsWith(prefix)) {
                    lines.add(rows.getString(1).substring(prefix.length()) + " " + rows.getInt(2));
                }
            }
        }
        return lines;
    }

    List<String> left(FlywayDatabase database) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery(left)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    @Test
    void cleanIsRefusedByDefault() throws Exception {
        execute("create table kept (a int)");

        assertThat(both(theirs -> theirs, Flyway::clean, our -> our, MigrationRunner::clean))
                .isFalse();
        execute("drop table kept");
    }
}
