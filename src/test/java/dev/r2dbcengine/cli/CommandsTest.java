package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Secrets;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of the commands, on H2 and in this JVM. */
class CommandsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path scripts;

    private final TestDatabase database = TestDatabase.fresh(Server.H2).keepAlive();

    @BeforeEach
    void writeTwoScripts() throws IOException {
        script("V1__one.sql", "create table one (id int);\n");
        script(
                "V2__two_of_them.sql",
                "create table ${name} (id int); -- first\ninsert into ${name} values (1) -- last\n;");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void script(String name, String text) throws IOException {
        Files.writeString(scripts.resolve(name), text);
    }

    private String[] line(String command, String... options) {
        return Stream.concat(
                        Stream.of(
                                command,
                                "--url",
                                database.url(),
                                "--locations",
                                "filesystem:" + scripts,
                                "--placeholder",
                                "name=two"),
                        Arrays.stream(options))
                .toArray(String[]::new);
    }

    private Called call(String command, String... options) {
        return Called.here(line(command, options));
    }

    @Test
    void migrateReportsEachScriptAndTheTotal() {
        Called run = call("migrate");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).singleElement().asString().startsWith("Applied 2 migrations in ");
        assertThat(run.errors())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("applied V1__one.sql in "),
                        line -> assertThat(line).startsWith("applied V2__two_of_them.sql in "));
        assertThat(call("migrate").lines()).containsExactly("Nothing was applied: no migration is pending.");
    }

    @Test
    void migrateJsonIsOneObject() {
        Called run = call("migrate", "--json");

        assertThat(run.err()).isEmpty();
        assertThat(run.json().at("command").text()).isEqualTo("migrate");
        assertThat(run.json().at("exitCode").number()).isZero();
        assertThat(run.json().at("applied").texts("version")).containsExactly("1", "2");
        assertThat(run.json().at("applied").all().get(1).at("script").text()).isEqualTo("V2__two_of_them.sql");
        assertThat(run.json().at("warnings").all()).isEmpty();
    }

    @Test
    void undoRequiresVersionToKeep() throws IOException {
        script("U2__two_of_them.sql", "select 1;");
        call("migrate");

        assertThat(call("undo").exitCode()).isEqualTo(2);
        assertThat(call("undo").err()).contains("--to");
        assertThat(call("undo", "--to", "1.5").err()).contains("Version 1.5 is not applied");
        assertThat(call("undo", "--to", "1").lines()).singleElement().asString().startsWith("Undid 1 version in ");
        assertThat(call("undo", "--to", "1").lines()).containsExactly("Nothing to do: no version above it is applied.");
    }

    @Test
    void lockAcceptsSessionAndTransaction() {
        assertThat(call("migrate", "--lock", "transaction").err()).contains("--lock transaction needs a database");
        Called run = call("migrate", "--lock", "never");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--lock: 'never' is neither session nor transaction");
        assertThat(call("migrate", "--lock", "session").exitCode()).isZero();
    }

    @Test
    void infoListsAppliedAndPendingMigrations() {
        call("migrate", "--target", "1");

        Called info = call("info");

        assertThat(info.exitCode()).isZero();
        assertThat(info.lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("Version  Description  +Type  Installed on +State"),
                        line -> assertThat(line).matches("[- ]+"),
                        line -> assertThat(line)
                                .matches("1 +one +SQL   \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  Success"),
                        line -> assertThat(line).matches("2 +two of them  SQL +Pending"),
                        line -> assertThat(line).isEqualTo("2 migrations, 1 pending."));
    }

    @Test
    void infoExitsWithThreeOnlyWithCheck() {
        assertThat(call("info").exitCode()).isZero();
        assertThat(call("info", "--check").exitCode()).isEqualTo(3);
        call("migrate");
        assertThat(call("info", "--check").exitCode()).isZero();
    }

    @Test
    void infoJsonIsOneObject() {
        call("migrate", "--target", "1");

        Parsed info = call("info", "--json", "--check").json();

        assertThat(info.at("exitCode").number()).isEqualTo(3);
        assertThat(info.at("pending").number()).isOne();
        assertThat(info.at("migrations").texts("state")).containsExactly("Success", "Pending");
        assertThat(info.at("migrations").all().get(0).at("rank").number()).isOne();
        assertThat(info.at("problems").all()).isEmpty();
    }

    @Test
    void rowsAreColoredByStateOnTerminal() throws IOException {
        call("migrate", "--target", "1");
        script("V3__broken.sql", "create tabel three;");
        call("migrate", "--target", "3");
        script("V4__four.sql", "select 1;");
        script("V0__late.sql", "select 1;");

        Called info = Called.from(Map.of("COLUMNS", "60"), true, line("info"));

        assertThat(info.out()).contains("\u001b[32m1 ", "\u001b[31m3 ", "\u001b[33m4 ", "\u001b[2m0 ");
        assertThat(Called.from(Map.of("COLUMNS", "60", "NO_COLOR", "1"), true, line("info"))
                        .out())
                .doesNotContain("\u001b");
        assertThat(Called.from(Map.of("COLUMNS", "60", "TERM", "dumb"), true, line("info"))
                        .out())
                .doesNotContain("\u001b");
    }

    @Test
    void tableFitsWidth() throws IOException {
        script("V3__" + "long_".repeat(30) + "name.sql", "select 1;");

        assertThat(call("info").lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                .anyMatch(line -> line.contains("…"));
        assertThat(Called.from(Map.of("COLUMNS", "50"), false, line("info")).lines().stream()
                        .limit(5))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(50));
        assertThat(Called.from(Map.of("COLUMNS", "250"), false, line("info")).out())
                .doesNotContain("…");
    }

    @Test
    void planListsOnlyPendingMigrations() {
        call("migrate", "--target", "1");

        Called plan = call("plan");

        assertThat(plan.exitCode()).isZero();
        assertThat(plan.lines()).hasSize(4).last().isEqualTo("1 migration, 1 pending.");
        assertThat(call("plan", "--json").json().at("pending").texts("script")).containsExactly("V2__two_of_them.sql");
    }

    @Test
    void planWithSqlPrintsStatements() {
        Called plan = call("plan", "--sql");

        assertThat(plan.lines())
                .containsExactly(
                        "-- V1__one.sql",
                        "create table one (id int);",
                        "-- V2__two_of_them.sql",
                        "create table two (id int);",
                        "-- first",
                        "insert into two values (1) -- last",
                        ";");
        Parsed json = call("plan", "--sql", "--json").json();
        assertThat(json.at("statements").texts("sql")).hasSize(3).startsWith("create table one (id int)");
        assertThat(json.at("statements").all().get(2).at("line").number()).isEqualTo(2);
        assertThat(json.at("pending").texts("script")).hasSize(2);
        assertThat(json.at("problems").all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "plan", "validate", "baseline", "repair", "migrate"})
    void emptyLocationWarnsOnce(String command) {
        Called run = Called.here(command, "--url", database.url(), "--locations", "classpath:db/nowhere");

        assertThat(run.exitCode()).isZero();
        assertThat(run.errors())
                .singleElement()
                .asString()
                .startsWith("warning No migration was found in [classpath:db/nowhere]")
                .contains("neither schemas nor history");
    }

    @Test
    void planWithStatementsInJsonWarnsOnce() {
        Called run =
                Called.here("plan", "--sql", "--json", "--url", database.url(), "--locations", "classpath:db/nowhere");

        assertThat(run.errors()).singleElement().asString().startsWith("warning ");
        assertThat(run.json().at("statements").all()).isEmpty();
    }

    /** plan has the exit code that migrate would have. */
    @Test
    void planOfNonEmptyDatabaseExitsWithOne() {
        database.execute("create table there (id int)").block();

        for (String[] options : new String[][] {{"migrate"}, {"plan"}, {"plan", "--sql"}}) {
            Called run = call(options[0], Arrays.copyOfRange(options, 1, options.length));
            assertThat(run.exitCode()).as(String.join(" ", options)).isOne();
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .contains("error There is no history", "is not empty: 1 object.", "--baseline-on-migrate");
        }
        assertThat(call("info").exitCode()).isZero();
        assertThat(call("plan", "--baseline-on-migrate", "true").exitCode()).isZero();
        assertThat(call("plan", "--schemas", "ELSEWHERE", "--create-schemas", "false")
                        .err())
                .contains("There is no schema [ELSEWHERE]. Create it, ");
    }

    @Test
    void changedScriptIsReportedAndRepaired() throws IOException {
        call("migrate");
        script("V1__one.sql", "create table one (id bigint);\n");

        Called validate = call("validate");
        assertThat(validate.exitCode()).isEqualTo(3);
        assertThat(validate.lines()).singleElement().asString().contains("checksum");
        assertThat(call("validate", "--json").json().at("problems").texts("kind"))
                .containsExactly("CHECKSUM_MISMATCH");

        Called migrate = call("migrate");
        assertThat(migrate.exitCode()).isOne();
        assertThat(migrate.errors())
                .singleElement()
                .asString()
                .startsWith("error ")
                .contains("checksum");
        assertThat(call("plan").exitCode()).isOne();
        assertThat(call("plan").lines()).last().isEqualTo("0 migrations, 0 pending.");
        assertThat(call("info").lines()).last().isEqualTo("2 migrations, 0 pending.");
        assertThat(call("plan", "--sql").exitCode()).isOne();
        Parsed json = call("plan", "--sql", "--json").json();
        assertThat(json.at("exitCode").number()).isOne();
        assertThat(json.at("problems").texts("kind")).containsExactly("CHECKSUM_MISMATCH");
        assertThat(call("plan", "--validate-on-migrate=false").exitCode()).isZero();
        assertThat(call("info", "--check").exitCode()).isEqualTo(3);

        Called repair = call("repair");
        assertThat(repair.lines())
                .containsExactly("Removed 0 failed rows, marked 0 missing rows as deleted, aligned 1 row.");
        assertThat(call("validate").lines()).containsExactly("History and scripts match.");
    }

    @Test
    void brokenScriptReportsLineAndDatabaseMessage() throws IOException {
        script("V3__broken.sql", "select 1;\ncreate tabel three;\n");

        Called run = call("migrate");

        assertThat(run.exitCode()).isOne();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("applied V2__two_of_them.sql", "failed V3__broken.sql", "V3__broken.sql, line 2", "42001")
                .doesNotContain("\tat ");
        assertThat(run.errors()).hasSize(5);
        Parsed repaired = call("repair", "--json").json();
        assertThat(repaired.at("removed").texts("script")).containsExactly("V3__broken.sql");
        assertThat(repaired.at("removed").all().get(0).at("rank").number()).isEqualTo(3);

        Called again = call("migrate", "--json", "--verbose");
        Parsed error = again.json().at("error");
        assertThat(error.at("script").text()).isEqualTo("V3__broken.sql");
        assertThat(error.at("line").number()).isEqualTo(2);
        assertThat(error.at("statement").text()).isEqualTo("create tabel three");
        assertThat(error.at("cause").text()).contains("42001");
        assertThat(error.at("applied").all()).isEmpty();
        assertThat(again.err()).contains("\tat ");
    }

    @Test
    void databaseMessageOmitsStatement() throws IOException {
        script("V3__three.sql", "insert into nowhere\nvalues ('s3cret');");

        assertThat(call("migrate").err())
                .contains("Table \"NOWHERE\" not found")
                .doesNotContain("SQL statement:", "s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"db/migration", "nowhere"})
    void locationWithoutPrefixIsWrongUsage(String place) {
        Called run = Called.here("migrate", "--url", database.url(), "--locations", place);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--locations: " + place + " has no prefix", "Write filesystem:" + place + "\n");
    }

    @Test
    void unknownVariableWarns() {
        Map<String, String> environment = Map.of("R2E_TABEL", "t", "R2E_TABLE", "t", "OTHER", "x");

        assertThat(Called.from(environment, false, line("info")).errors())
                .containsExactly("warning R2E_TABEL in the environment is not a known setting and is ignored");
    }

    @Test
    void missingFolderIsWrongUsage() {
        Called run = Called.here("repair", "--url", database.url(), "--locations", "filesystem:/none,classpath:db");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--locations: there is no folder /none");
        assertThat(Called.here("info", "--url", database.url()).err()).contains("The default", "db/migration");
    }

    @Test
    void unsupportedLocationIsWrongUsage() {
        Called run = Called.here("migrate", "--url", database.url(), "--locations", "s3://scripts");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("error --locations: 's3://scripts' is no location: write classpath:");
    }

    @Test
    void baselineAndCleanNeedNoScripts() {
        database.execute("create table there (id int)").block();

        assertThat(Called.here("baseline", "--url", database.url(), "--baseline-version", "7")
                        .lines())
                .containsExactly("The history starts with a baseline.");
        assertThat(call("info", "--json").json().at("migrations").texts("state"))
                .contains("Baseline");
        Called refused = Called.here("clean", "--url", database.url());
        assertThat(refused.exitCode()).isOne();
        assertThat(refused.err()).contains("--clean-disabled false");
        assertThat(Called.here("clean", "--url", database.url(), "--clean-disabled=false", "--json")
                        .json()
                        .at("exitCode")
                        .number())
                .isZero();
        assertThat(call("info", "--json").json().at("pending").number()).isEqualTo(2);
    }

    @Test
    void flywayConfSuffices() throws IOException {
        Path conf = Files.write(
                scripts.resolve("flyway.conf"),
                List.of(
                        "flyway.url=" + database.url(),
                        "flyway.user=",
                        "flyway.locations=filesystem:" + scripts,
                        "flyway.placeholders.NAME=two",
                        "flyway.callbacks=none"));

        Called run = Called.from(Map.of("R2E_CONFIG", conf.toString()), false, "migrate");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.errors()).first().asString().contains("flyway.callbacks is not supported");
    }

    @Test
    void askPasswordPromptsOnTerminal() {
        database.execute("create user ada password 's3cret' admin").block();
        String[] line = line("info", "--user", "ADA", "--ask-password");

        assertThat(Called.typing("s3cret", line).exitCode()).isZero();
        Called wrong = Called.typing(Secrets.MARK + "guessed", line);
        assertThat(wrong.exitCode()).isOne();
        assertThat(wrong.err()).contains("refused the login").doesNotContain("guessed", "\tat ");
        Called withoutTerminal = Called.here(line);
        assertThat(withoutTerminal.exitCode()).isEqualTo(2);
        assertThat(withoutTerminal.err()).contains("--password-file");
    }

    @Test
    void missingPlaceholderIsReportedOnceWithFlag() throws IOException {
        script("V3__three.sql", "create table ${other} (id int);");

        Called run = call("plan", "--sql");

        assertThat(run.exitCode()).isOne();
        assertThat(run.errors()).singleElement().asString().contains("V3__three.sql", "Set --placeholder other=…");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "=value"})
    void malformedPlaceholderIsWrongUsage(String placeholder) {
        Called run = Called.here("migrate", "--url", database.url(), "--placeholder", placeholder);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errors())
                .containsExactly("error A --placeholder has no name or no value: write --placeholder name=value");
    }

    @Test
    void listFlagCanBeRepeated() {
        Called run = Called.here(
                "info",
                "--url",
                database.url(),
                "--locations",
                "filesystem:" + scripts,
                "--locations",
                "filesystem:/none");

        assertThat(run.err()).contains("there is no folder /none");
    }
}
