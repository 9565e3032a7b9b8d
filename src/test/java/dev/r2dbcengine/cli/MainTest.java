package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void theDemoEndsWithOneEngineAThousandRowsAndNoHalfUnit() {
        assertThat(run("demo")).isZero();

        assertThat(out.toString().lines())
                .hasSize(12)
                .anyMatch(line -> line.matches("check-then-act map +\\d+ +[\\d,]+ +\\d+"))
                .anyMatch(line -> line.matches("ReactiveEngineCache +1 +1,000 +0"))
                .anyMatch("Migrated before the first use, 1 time:"::equals)
                .anyMatch(line -> line.matches("  V2__add_the_amount.sql +Success"))
                .endsWith("Booked: 1,000 rows, sum 0.");
    }

    @Test
    void aDatabaseThatCannotBeOpenedIsAnErrorThatSaysSo() {
        assertThat(run("demo", "--url", "r2dbc:nosuch://ada:s3cret@host/db")).isOne();

        assertThat(err.toString()).contains("r2dbc:nosuch://ada@host/db").doesNotContain("s3cret", "\tat ");
    }

    @Test
    void wrongUsageIsToldWithTheUsage() {
        assertThat(run("dmo")).isEqualTo(2);

        assertThat(err.toString()).contains("Unmatched argument", "demo");
    }

    @Test
    void withoutACommandTheHelpIsShown() {
        assertThat(run()).isZero();

        assertThat(out.toString()).contains("Usage: r2dbc-engine", "demo");
    }
}
