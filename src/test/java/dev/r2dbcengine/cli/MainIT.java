package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MainIT {
    private static final String TABLES = "select table_name from information_schema.tables";

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void demoRunsOnEveryDatabase(Server server) {
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive()) {
            database.execute("create table other_table (a int)").block();
            Called demo = Called.here("demo", "--url", database.url());

            assertThat(demo.exitCode()).isZero();
            assertThat(demo.lines())
                    .anyMatch(line -> line.matches("ReactiveEngineCache +1 +1,000 +0"))
                    .endsWith("In the table: 1,000 rows, sum 0.");
            assertThat(database.query(TABLES, String.class).block())
                    .filteredOn(table -> table.toLowerCase(Locale.ROOT).startsWith("r2dbc_engine"))
                    .isEmpty();
        }
    }
}
