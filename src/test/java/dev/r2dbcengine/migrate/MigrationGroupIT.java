package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.R2dbcException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** All that is pending as one, beside Flyway with the same option. */
class MigrationGroupIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final MigrationListener listener = new MigrationListener() {
        @Override
        public void started(ResolvedMigration migration) {
            told.add("started " + migration.version());
        }

        @Override
        public void applied(ResolvedMigration migration, Duration duration) {
            told.add("applied " + migration.version());
        }

        @Override
        public void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
            told.add("failed " + migration.version());
        }
    };

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private MigrationTree files;

    @BeforeEach
    @SuppressWarnings("NullAway.Init")
    void scripts() throws IOException {
        files = new MigrationTree(directory);
        files.write("V1__t.sql", "create table t(a bigint);\ninsert into t values (1);");
        files.write("V2__u.sql", "create table u(a int);\ninsert into t values (2);");
        files.write("V3__more.sql", "insert into t values (3);");
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    private MigrationRunner runner(TestDatabase database) {
        Engine engine = engines.engine(database.url());
        return MigrationRunner.on(engine)
                .locations("filesystem:" + directory)
                .listener(listener)
                .group(true);
    }

    private Flyway flyway(Server server, TestDatabase database, boolean mixed) {
        return FlywayDatabase.given(Flyway.configure(), server, database)
                .locations("filesystem:" + directory)
                .group(true)
                .mixed(mixed)
                .load();
    }

    private static <T> T get(Mono<T> of) {
        return Objects.requireNonNull(of.block(LONG));
    }

    private static List<Long> rows(TestDatabase database) {
        return get(database.query("select a from t order by a", Long.class));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void groupHasFlywaysHistory(Server server) {
        try (TestDatabase ours = TestDatabase.fresh(server).keepAlive();
                TestDatabase flyways = TestDatabase.fresh(server).keepAlive()) {
            assertThat(get(runner(ours).migrate()).applied()).hasSize(3);
            Flyway flyway = flyway(server, flyways, false);
            flyway.migrate();

            assertThat(Row.of(get(runner(ours).info())))
                    .isEqualTo(Row.ofFlyway(flyway))
                    .isEqualTo(Row.ofFlyway(flyway(server, ours, false)));
            assertThat(get(runner(ours).migrate()).applied()).isEmpty();
            assertThat(rows(ours)).containsExactly(1L, 2L, 3L);
        }
    }

    /** Where DDL commits, Flyway's rows say of more, or of less, than is there. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void failingScriptRollsBackItsGroupOrMatchesTheHistory(Server server) throws IOException {
        files.write("V3__more.sql", "insert into t values (3);\nnonsense;");
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive();
                TestDatabase flyways = TestDatabase.fresh(server).keepAlive()) {
            boolean undone = get(engines.engine(database.url()).dialect()).has(Feature.TRANSACTIONAL_DDL);
            StepVerifier.create(runner(database).migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .hasMessageContainingAll(
                                    "V3__more.sql, line 2",
                                    undone ? "All that the group of 3 migrations did was rolled back" : "repair()",
                                    "Migrations applied before it: " + (undone ? 0 : 2))
                            .isInstanceOfSatisfying(
                                    MigrationException.class,
                                    failure -> assertThat(failure.applied()).hasSize(undone ? 0 : 2)))
                    .verify(LONG);
            assertThat(told)
                    .filteredOn(event -> !event.startsWith("started"))
                    .containsExactly(
                            undone
                                    ? new String[] {"failed 1", "failed 2", "failed 3"}
                                    : new String[] {"applied 1", "applied 2", "failed 3"});
            if (undone) {
                Flyway flyway = flyway(server, flyways, false);
                assertThatThrownBy(flyway::migrate).isInstanceOf(FlywayException.class);
                assertThat(Row.of(get(runner(database).info())))
                        .isEqualTo(Row.ofFlyway(flyway))
                        .extracting(Row::state)
                        .containsOnly("Pending");
                StepVerifier.create(database.query("select a from t", Long.class))
                        .verifyError(R2dbcException.class);
            } else {
                assertThat(Row.of(get(runner(database).info())))
                        .extracting(Row::state)
                        .containsExactly("Success", "Success", "Failed");
                assertThat(rows(database)).containsExactly(1L, 2L);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void mixedKindsInAGroupAreRefusedByDefault(Server server) throws IOException {
        files.write("V2__u.sql.conf", "executeInTransaction=false");
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive();
                TestDatabase flyways = TestDatabase.fresh(server).keepAlive()) {
            assertThatThrownBy(flyway(server, flyways, false)::migrate)
                    .hasMessageContaining("within the same migration group");
            StepVerifier.create(runner(database).migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(InvalidMigrationException.class)
                            .hasMessageContainingAll("V2__u.sql", "V1__t.sql", "one group", "mixed(true)"))
                    .verify(LONG);
            assertThat(Row.of(get(runner(database).info())))
                    .isEqualTo(Row.ofFlyway(flyway(server, flyways, false)))
                    .extracting(Row::state)
                    .containsOnly("Pending");

            assertThat(get(runner(database).mixed(true).migrate()).applied()).hasSize(3);
            Flyway flyway = flyway(server, flyways, true);
            flyway.migrate();
            assertThat(Row.of(get(runner(database).info()))).isEqualTo(Row.ofFlyway(flyway));
        }
    }

    /** Flyway looks at what the scripts hold, too. */
    @Test
    void statementOutsideTransactionsMakesItsScriptNonTransactional() throws IOException {
        files.write("V2__u.sql", "create index concurrently i on t(a);");
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            StepVerifier.create(runner(database).migrate())
                    .expectErrorSatisfies(e -> assertThat(e).hasMessageContainingAll("V2__u.sql", "one group"))
                    .verify(LONG);
            files.write("V3__more.sql", "insert into t values (3);\nvacuum t;");
            StepVerifier.create(runner(database).migrate())
                    .expectErrorSatisfies(e -> assertThat(e).hasMessageContainingAll("V3__more.sql, line 2"))
                    .verify(LONG);
            assertThat(get(runner(database).mixed(true).migrate()).applied()).hasSize(3);
            assertThat(told).filteredOn(event -> event.startsWith("failed")).isEmpty();
        }
    }

    /** If one script of a group ends the transaction, its effects stay and it is recorded as failed. */
    @Test
    void mixedGroupRunsWithoutTransaction() throws IOException {
        files.write("V1__t.sql", "create table t(a bigint);\ninsert into t values (1);");
        files.write("V2__u.sql", "vacuum t;");
        files.write("V3__more.sql", "insert into t values (3);\ninsert into nowhere values (3);");
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            StepVerifier.create(runner(database).mixed(true).migrate())
                    .expectErrorSatisfies(
                            e -> assertThat(e).hasMessageContainingAll("V3__more.sql, line 2", "repair()"))
                    .verify(LONG);

            assertThat(rows(database)).containsExactly(1L, 3L);
            assertThat(Row.of(get(runner(database).info())))
                    .extracting(Row::state)
                    .containsExactly("Success", "Success", "Failed");
        }
    }

    @Test
    void groupIsOneTransaction() throws IOException {
        String own = "insert into t select txid_current();";
        files.write("V1__t.sql", "create table t(a bigint);" + own);
        files.write("V2__u.sql", own);
        files.write("V3__more.sql", own);
        try (TestDatabase grouped = TestDatabase.fresh(Server.POSTGRESQL);
                TestDatabase alone = TestDatabase.fresh(Server.POSTGRESQL)) {
            get(runner(grouped).migrate());
            assertThat(told)
                    .containsExactly("started 1", "started 2", "started 3", "applied 1", "applied 2", "applied 3");
            get(runner(alone).group(false).migrate());

            assertThat(rows(grouped).stream().distinct()).hasSize(1);
            assertThat(rows(alone).stream().distinct()).hasSize(3);
        }
    }
}
