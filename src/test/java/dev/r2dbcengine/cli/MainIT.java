package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MainIT {
    @ParameterizedTest
    @EnumSource
    void theDemoRunsOnEveryDatabase(Server server) {
        StringWriter out = new StringWriter();
        try (TestDatabase database = TestDatabase.fresh(server)) {
            int status = Main.commandLine().setOut(new PrintWriter(out)).execute("demo", "--url", database.url());

            assertThat(status).isZero();
            assertThat(out.toString().lines()).anyMatch(line -> line.matches("ReactiveEngineCache +1 +1,000 +0"));
        }
    }
}
