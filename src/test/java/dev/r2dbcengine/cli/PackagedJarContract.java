package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All commands in sequence, as a pipeline would call them. */
abstract class PackagedJarContract {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private Path scripts;
    private PackagedJar jar;

    @SuppressWarnings("NullAway.Init") // before each test
    PackagedJarContract() {}

    /** Returns the variables that configure the database. */
    abstract Map<String, String> environment();

    /** Returns the kind of problem that validation reports for a failed script. */
    abstract String afterFailure();

    @BeforeEach
    void writeTwoScripts() throws IOException {
        scripts = Files.createDirectories(directory.resolve("db/migration"));
        jar = new PackagedJar(directory);
        script("V1__one.sql", "create table one (id int, name varchar(20));\n");
        script("V2__two.sql", "insert into one values (1, '${who}; and more');\ncreate table two (id int);\n");
    }

    final Path script(String name, String text) throws IOException {
        return Files.writeString(scripts.resolve(name), text);
    }

    final Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(environment());
        variables.put("R2E_PLACEHOLDERS_WHO", "Ada");
        return variables;
    }

    private Called call(int exitCode, String... args) {
        Called called = jar.run(variables(), args);
        assertThat(called.exitCode()).as(called.toString()).isEqualTo(exitCode);
        assertThat(called.err()).doesNotContain("SLF4J", "DEBUG", "\tat ");
        return called;
    }

    @Test
    void allCommandsRunInSequence() throws IOException {
        assertThat(call(3, "info", "--check", "--json").json().at("pending").number())
                .isEqualTo(2);

        assertThat(call(0, "plan", "--sql").lines())
                .containsExactly(
                        "-- V1__one.sql",
                        "create table one (id int, name varchar(20));",
                        "-- V2__two.sql",
                        "insert into one values (1, 'Ada; and more');",
                        "create table two (id int);");

        Called migrated = call(0, "migrate", "--json");
        assertThat(migrated.err()).isEmpty();
        assertThat(migrated.json().at("applied").texts("script")).containsExactly("V1__one.sql", "V2__two.sql");

        assertThat(call(0, "info", "--check").lines())
                .hasSize(5)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                .last()
                .isEqualTo("2 migrations, 0 pending.");

        script("U2__two.sql", "delete from one;\ndrop table two;\n");
        assertThat(call(0, "undo", "--to", "1", "--json").json().at("undone").texts("script"))
                .containsExactly("U2__two.sql");
        assertThat(call(0, "migrate").lines()).singleElement().asString().startsWith("Applied 1 migration in ");

        Path broken = script("V3__broken.sql", "create table three (id int);\ncreate tabel four (id int);\n");
        Called failed = call(1, "migrate");
        assertThat(failed.out()).isEmpty();
        assertThat(failed.errors())
                .hasSize(3)
                .satisfies(lines -> assertThat(lines.get(0)).startsWith("failed V3__broken.sql in "))
                .satisfies(
                        lines -> assertThat(lines.get(1)).startsWith("error ").contains("V3__broken.sql, line 2"))
                .satisfies(lines -> assertThat(lines.get(2)).contains("tabel"));

        assertThat(call(3, "validate", "--json").json().at("problems").texts("kind"))
                .containsExactly(afterFailure());

        call(0, "repair", "--json").json().at("removed").all();
        Files.delete(broken);
        script("V1__one.sql", "create table one (id bigint, name varchar(20));\n");
        assertThat(call(1, "migrate").errors()).singleElement().asString().contains("checksum");

        call(0, "clean", "--clean-disabled=false");
        call(0, "baseline", "--baseline-version", "1");
        assertThat(call(3, "info", "--check", "--json").json().at("migrations").texts("state"))
                .contains("Baseline", "Pending");
    }
}
