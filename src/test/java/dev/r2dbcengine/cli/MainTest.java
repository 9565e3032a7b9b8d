package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
                .contains(
                        "--check",
                        "--lock-timeout=TIME",
                        "--out-of-order",
                        "$",
                        "r2dbc-engine info --json",
                        "R2DBC_ENGINE_")
                .contains("130", "interrupted")
                .doesNotContain("--password=", "\u001b");
        assertThat(help.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
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
