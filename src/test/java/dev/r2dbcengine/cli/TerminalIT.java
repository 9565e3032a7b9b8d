package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The jar on a terminal, which {@code script} of util-linux emulates. */
class TerminalIT {
    private static final String LOCKS =
            "select count(*)::int from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory'"
                    + " and d.datname = current_database()";
    private static final int CTRL_C = 3;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL);

    @BeforeEach
    void requireTerminal() throws InterruptedException {
        String what = "script of util-linux and env of coreutils";
        if (Proof.rounds(0, 1) == 1 && OS.LINUX.isCurrentOs()) {
            assertThat(hasTerminal()).as(what).isTrue();
        }
        assumeThat(hasTerminal()).as(what).isTrue();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void script(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    /* Background processes of a shell ignore SIGINT, as do their children; the tests may run in the background. */
    private static ProcessBuilder terminal(String... args) {
        List<String> line = new ArrayList<>(List.of("env", "--default-signal=INT", "script"));
        line.addAll(List.of(args));
        return new ProcessBuilder(line).redirectErrorStream(true);
    }

    private static boolean hasTerminal() throws InterruptedException {
        try {
            return terminal("--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private Process start(Map<String, String> environment, String... args) throws IOException {
        String line = PackagedJar.line(args).map(arg -> "'" + arg + "'").collect(Collectors.joining(" "));
        ProcessBuilder builder = terminal("-q", "-e", "-c", "exec " + line, "/dev/null");
        builder.environment().keySet().removeAll(List.of("NO_COLOR", "JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(Map.of("COLUMNS", "70", "TERM", "xterm", "R2E_URL", database.url()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String[] migrate() {
        return new String[] {"migrate", "--locations", "filesystem:" + directory};
    }

    /** Reads up to a text; the end of the stream is an error. */
    private static String read(Reader from, String until) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(until) < 0) {
            int next = from.read();
            assertThat(next).as("%s follows %s", until, text).isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    private static String rest(Reader from) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int next = from.read(); next >= 0; next = from.read()) {
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void runShowsBarAndColors() throws Exception {
        script("V1__one.sql", "create table one (id int);");
        script("V2__slow.sql", "select pg_sleep(0.5);");
        Process process = start(Map.of(), migrate());
        try (Reader terminal = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(read(terminal, "] 2/2  V2__slow.sql"))
                    .contains("\u001b[32mapplied\u001b[0m V1__one.sql in ", "[#");
            assertThat(rest(terminal)).contains("Applied 2 migrations in ");
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void noColorDisablesColors() throws Exception {
        script("V1__one.sql", "create table one (id int);");
        Process process = start(Map.of("NO_COLOR", "1"), migrate());
        try (Reader terminal = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(rest(terminal)).contains("applied V1__one.sql").doesNotContain("\u001b[32m");
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void ctrlCCancelsStatementRollsBackAndReleasesLock() throws Exception {
        script("V1__slow.sql", "create table one (id int);\nselect pg_sleep(200);\ncreate table two (id int);\n");
        Process process = start(Map.of(), migrate());
        try (Reader terminal = process.inputReader(StandardCharsets.UTF_8);
                OutputStream keyboard = process.getOutputStream()) {
            read(terminal, "] 1/1  V1__slow.sql");
            keyboard.write(CTRL_C);
            keyboard.flush();
            assertThat(rest(terminal))
                    .contains("Interrupted. Migrations reported as applied stay; the rest is rolled back");
        }

        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(database.query("select to_regclass('one') is null and to_regclass('two') is null", Boolean.class)
                        .block())
                .containsExactly(true);
        assertThat(database.query("select count(*)::int from flyway_schema_history", Integer.class)
                        .block())
                .containsExactly(0);
        assertThat(database.query(LOCKS, Integer.class).block()).containsExactly(0);
        assertThat(database.sessionsSettlingAt(0).block()).isZero();
    }
}
