package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @Test
    void demoShowsOneEngineAllRowsAndNoPartialUnit() {
        Called demo = Called.here("demo");

        assertThat(demo.exitCode()).isZero();
        assertThat(demo.lines())
                .hasSize(12)
                .anyMatch(line -> line.matches("check-then-act map +\\d+ +[\\d,]+ +\\d+"))
                .anyMatch(line -> line.matches("ReactiveEngineCache +1 +1,000 +0"))
                .anyMatch("Migration runs before the first use: 1"::equals)
                .anyMatch(line -> line.matches("  V2__add_the_amount.sql +Success"))
                .endsWith("In the table: 1,000 rows, sum 0.");
    }

    @Test
    void demoJsonIsOneObject() {
        Called demo = Called.here("demo", "--json");

        assertThat(demo.json().at("rows").number()).isEqualTo(1000);
        assertThat(demo.json().at("exitCode").number()).isZero();
    }

    @Test
    void unknownDriverIsReported() {
        Called demo = Called.here("demo", "--url", "r2dbc:nosuch://ada:s3cret@host/db");

        assertThat(demo.exitCode()).isOne();
        assertThat(demo.err()).contains("r2dbc:nosuch://", "host/db").doesNotContain("s3cret", "\tat ");
    }

    @Test
    void unknownCommandSuggestsSimilarOne() {
        Called wrong = Called.here("dmo");

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("Unmatched argument", "demo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "migrate --passwrd=s3cret",
                "migrate --ulr=r2dbc:postgresql://ada:s3cret@host/db",
                "migrate r2dbc:postgresql://ada:s3cret@host/db",
                "migrate --password=s3cret",
                "migrate --password s3cret",
                "migrate --url postgresql://ada:s3cret@host/db",
                "migrate --url r2dbc:h2:mem:///x --locations s3://ada:s3cret@host/db",
                "migrate --url r2dbc:h2:mem:///x --placeholder s3cret",
                "migrate --url r2dbc:h2:mem:///x --placeholder =s3cret"
            })
    void wrongUsageShowsNoPassword(String line) {
        Called wrong = Called.here(line.split(" ", -1));

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).startsWith("error ").doesNotContain("s3cret");
        assertThat(wrong.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "info --locations filesystem:src"})
    void passwordInUrlFlagIsWarnedOf(String command) {
        String line = command + " --url r2dbc:nosuch://ada:s3cret@host/db";
        Called warned = Called.here(line.split(" ", -1));

        assertThat(warned.errors())
                .first()
                .asString()
                .startsWith("warning --url contains a password")
                .contains("R2E_PASSWORD", "--password-file", "--ask-password");
        assertThat(warned.err()).doesNotContain("s3cret");
    }

    @Test
    void variablesThatAreNotReadAreWarnedOf() {
        Map<String, String> environment = Map.of(
                "R2DBC_ENGINE_TABLE", "a",
                "R2DBC_ENGINE_CONFIG", "b",
                "R2DBC_ENGINE_PLACEHOLDERS_X", "c",
                "R2DBC_ENGINE_POOL_MAXSIZE", "of a Spring application only",
                "FLYWAY_LICENSE_KEY", "d",
                "R2E_TABEL", "e");
        Called warned = Called.from(
                environment, false, "info", "--url", "r2dbc:h2:mem:///warned", "--locations", "filesystem:src");

        assertThat(warned.errors())
                .filteredOn(line -> line.contains("in the environment"))
                .containsExactly(
                        "warning FLYWAY_LICENSE_KEY in the environment is not a known setting and is ignored",
                        "warning R2E_TABEL in the environment is not a known setting and is ignored",
                        "warning R2DBC_ENGINE_CONFIG in the environment configures a Spring application and is not read here:"
                                + " set R2E_CONFIG",
                        "warning R2DBC_ENGINE_PLACEHOLDERS_X in the environment configures a Spring application and is not"
                                + " read here: set R2E_PLACEHOLDERS_X",
                        "warning R2DBC_ENGINE_TABLE in the environment configures a Spring application and is not read here:"
                                + " set R2E_TABLE");
    }

    @Test
    void wrongUsageJsonIsOneObject() {
        Called wrong = Called.here("migrate", "--json", "--nosuch");

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.json().at("command").text()).isEqualTo("migrate");
        assertThat(wrong.json().at("error").at("message").text()).contains("--nosuch");
        assertThat(wrong.err()).contains("--nosuch", "r2dbc-engine migrate --help");
    }

    @Test
    void noCommandPrintsHelp() {
        Called help = Called.here();

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: r2dbc-engine", "migrate", "demo", "Examples:");
    }

    @Test
    void versionIsPrinted() {
        assertThat(Called.here("--version").out()).startsWith("r2dbc-engine ");
    }

    @Test
    void commandHelpListsOptionsExamplesAndExitCodes() {
        Called help = Called.here("info", "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains("--check", "--lock-timeout=TIME", "--out-of-order", "$", "r2dbc-engine info --json", "R2E_")
                .contains("130", "interrupted")
                .doesNotContain("--password=", "\u001b");
        assertThat(help.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void helpListsOptionsInGroups() {
        List<String> lines = Called.here("info", "--help").lines();

        assertThat(lines)
                .containsSubsequence("Database:", "Scripts:", "Run:", "History and lock:", "General:", "Exit codes:");
        assertThat(lines.stream().filter(line -> line.matches(" {2,}(-h, )?--.*")))
                .hasSize((int) RunSetting.all()
                                .flatMap(setting -> setting.flags().stream())
                                .count()
                        + 7);
    }

    @Test
    void completionCoversCommandsAndOptions() throws Exception {
        Called completion = Called.here("completion");

        assertThat(completion.exitCode()).isZero();
        assertThat(completion.out())
                .contains("complete -F _complete_r2dbc-engine", "migrate", "--lock-timeout", "--out-of-order", "demo")
                .doesNotContain("--password'");
    }

    @Test
    void helpIsColoredAndFillsTerminal() {
        Called help = Called.from(Map.of("COLUMNS", "120"), true, "info", "--help");

        assertThat(help.out()).contains("\u001b[");
        assertThat(help.lines()).anyMatch(line -> line.length() > 100);
    }

    @Test
    void widthOfTerminalIsDetected() {
        assertThat(Called.from(Map.of(), true, "--help").exitCode()).isZero();
    }
}
