package dev.r2dbcengine.migrate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/**
 * Flyway and this library on one tree of scripts, alone and in turns: what they leave has to be the same. The scripts are
 * below {@code scripts}; those whose bytes matter are written here.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class FlywayJudgeContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Server server;
    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private Path directory;
    private Map<String, List<String>> flywaysPicture;

    @SuppressWarnings("NullAway.Init") // before all tests
    FlywayJudgeContract(Server server) {
        this.server = server;
    }

    /** The queries for a {@link DatabasePicture}. */
    abstract Map<String, String> queries();

    /** Columns of it that differ by themselves. */
    abstract Set<String> untold();

    /** Names of it that differ by themselves are taken out. */
    String named(String line) {
        return line;
    }

    @BeforeAll
    void migrateByFlyway(@TempDir Path forAll) throws IOException, SQLException {
        directory = forAll;
        MigrationTree files = new MigrationTree(directory);
        conf(files, "V201__latin.sql", "insert into words values ('äöü; ß');", ISO_8859_1, "ISO-8859-1");
        conf(
                files,
                "V202__windows.sql",
                "insert into words values ('€; “x”');",
                Charset.forName("windows-1252"),
                "cp1252");
        conf(files, "V203__big_endian.sql", "insert into words values ('€ 😀');\n", UTF_16BE, "UTF-16BE");
        conf(files, "V204__little_endian.sql", "insert into words values ('é');\r\n", UTF_16LE, "UTF-16LE");
        conf(files, "V205__marked.sql", "insert into words values ('marked');\n", UTF_16, "UTF-16");
        files.write("V206__bom.sql", "\uFEFFinsert into words values ('bom');\n", UTF_8)
                .write(
                        "V207__crlf.sql",
                        "-- c\r\ncreate table crlf(\r\n  a int\r\n);\r\n\r\ninsert into crlf values (1);\r\n")
                .write("V208__crlf_in_string.sql", "insert into words values ('a\r\nb;\r\n');\r\n")
                .write(
                        "V209__mixed_ends.sql",
                        "insert into words\r\nvalues ('m1');\ninsert into words values ('m2');\r\n")
                .write("V210__bom_and_crlf.sql", "\uFEFF-- c\r\ninsert into words values ('both');\r\n")
                .write("V211__tabs.sql", "\t insert\tinto words\tvalues\t('tab\there')\t;\t\n\f\n")
                .write("V212__bom_only.sql", "\uFEFF")
                .write("V213__blank.sql", " \r\n\n\t\r\n")
                .write("V214__long.sql", "insert into words values ('row;');\n".repeat(200))
                .write(
                        "R__crlf.sql",
                        "create or replace view crlf_view as\r\nselect id -- the id;\r\nfrom customer;\r\n");
        try (Judged alone = new Judged()) {
            alone.flyway("last", "latest").migrate();
            flywaysPicture = alone.picture();
            assertThat(alone.ours().migrate().block(LONG))
                    .satisfies(report ->
                            assertThat(Objects.requireNonNull(report).applied()).isEmpty());
            alone.agree();
            assertThat(alone.picture()).isEqualTo(flywaysPicture);
        }
    }

    private static void conf(MigrationTree files, String name, String text, Charset charset, String told)
            throws IOException {
        files.write(name, text, charset).write(name + ".conf", "encoding=" + told + "\n");
    }

    @AfterAll
    void close() {
        engines.close().block(LONG);
    }

    @Test
    void scriptsOfAllKindsAreCompared() throws SQLException {
        try (Judged judged = new Judged()) {
            List<Row> rows = Row.ofFlyway(judged.flyway("last", "latest"));
            assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
            assertThat(rows).extracting(Row::type).contains("SQL", "SQL_BASELINE");
        }
    }

    /** Not a table, column, constraint, view, routine, trigger or row differs, the history's rows among them. */
    @Test
    void migratedDatabaseEqualsFlyways() throws SQLException {
        try (Judged judged = new Judged()) {
            get(judged.ours().migrate());
            assertThat(judged.flyway("last", "latest").migrate().migrationsExecuted)
                    .isZero();
            judged.agree();
            assertThat(judged.picture()).isEqualTo(flywaysPicture);
        }
    }

    /** A repeatable migration that changes between two runs is applied again by either tool. */
    @Test
    void eachToolContinuesAfterTheOther() throws SQLException {
        Map<String, List<String>> byFlywayAlone = inTurns(turn -> true);
        assertThat(inTurns(turn -> turn % 2 == 0)).isEqualTo(byFlywayAlone);
        assertThat(inTurns(turn -> turn % 2 == 1)).isEqualTo(byFlywayAlone);
    }

    private Map<String, List<String>> inTurns(IntPredicate flyways) throws SQLException {
        try (Judged judged = new Judged()) {
            List<String> targets = judged.targets();
            for (int turn = 0; turn < targets.size(); turn++) {
                String word = turn < targets.size() / 2 ? "first" : "last";
                String target = targets.get(turn);
                if (flyways.test(turn)) {
                    judged.flyway(word, target).migrate();
                } else {
                    get(judged.ours(word, target).migrate());
                }
                assertThat(Row.of(get(judged.ours(word, target).info())))
                        .isEqualTo(Row.ofFlyway(judged.flyway(word, target)));
            }
            judged.agree();
            return judged.picture();
        }
    }

    /** Only paid editions of Flyway read {@code shouldExecute}, so the expected rows are written here. */
    @Test
    void scriptThatShouldNotExecuteIsSkipped() throws SQLException {
        try (Judged judged = new Judged()) {
            MigrationRunner runner = judged.ours().locations("classpath:scripts/common", "classpath:scripts/ours");
            get(runner.migrate());
            assertThat(get(runner.info()).stream()
                            .filter(status -> status.applied() == null)
                            .map(status -> status.script() + " " + status.state()))
                    .contains("V20__not_here.sql Ignored", "V21_1__elsewhere.sql Ignored", "R__never.sql Ignored");
            assertThat(get(judged.database.query("select count(*) from words where word = 'in test'", Long.class)))
                    .containsExactly(1L);
            assertThat(get(runner.migrate()).applied()).isEmpty();
        }
    }

    private static <T> T get(Mono<T> of) {
        return Objects.requireNonNull(of.block(LONG));
    }

    /** A database of both. */
    private final class Judged implements AutoCloseable {
        private final TestDatabase database = TestDatabase.fresh(server).keepAlive();
        private final FlywayDatabase flyway;
        private final String[] locations = {
            "classpath:scripts/common",
            "classpath:scripts/" + server.name().toLowerCase(Locale.ROOT),
            "filesystem:" + directory
        };

        Judged() throws SQLException {
            flyway = new FlywayDatabase(server, database);
        }

        private static Map<String, String> placeholders(String changing) {
            return Map.of("word", "it''s a word;", "environment", "test", "changing", changing);
        }

        /** Flyway's own lock would keep {@code create index concurrently} waiting for ever, if it was one of a transaction. */
        Flyway flyway(String changing, String target) {
            FluentConfiguration configuration = flyway.configure(getClass().getClassLoader(), locations)
                    .placeholders(placeholders(changing))
                    .target(target);
            configuration
                    .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
                    .setTransactionalLock(false);
            return configuration.load();
        }

        MigrationRunner ours() {
            return ours("last", "latest");
        }

        MigrationRunner ours(String changing, String target) {
            return MigrationRunner.on(engines.engine(database.url()))
                    .locations(locations)
                    .placeholders(placeholders(changing))
                    .target(target);
        }

        /** Some versions, from the lowest to the highest. */
        List<String> targets() {
            List<String> versions = Arrays.stream(
                            flyway("last", "latest").info().pending())
                    .filter(migration -> migration.getVersion() != null)
                    .map(migration -> migration.getVersion().getVersion())
                    .toList();
            int step = Proof.rounds(11, 1);
            List<String> targets = new ArrayList<>();
            for (int i = 0; i < versions.size() - 1; i += step) {
                targets.add(versions.get(i));
            }
            targets.add("latest");
            return targets;
        }

        void agree() {
            Flyway judge = flyway("last", "latest");
            assertThat(judge.validateWithResult().invalidMigrations).isEmpty();
            assertThat(get(ours().validate()).problems()).isEmpty();
            assertThat(Row.of(get(ours().info()))).isEqualTo(Row.ofFlyway(judge));
        }

        Map<String, List<String>> picture() throws SQLException {
            return new DatabasePicture(
                            flyway.connection(),
                            queries(),
                            untold(),
                            line -> named(line.replace(database.name(), "DATABASE")
                                    .replace(database.name().toUpperCase(Locale.ROOT), "DATABASE")))
                    .take();
        }

        @Override
        public void close() throws SQLException {
            flyway.close();
            database.close();
        }
    }
}
