package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Fifty scripts, each of which does DDL and leaves a row of its own; and what a database looks like after them. */
record FiftyScripts(Path directory) {

    static final int COUNT = 50;
    private static final Duration LONG = Duration.ofSeconds(60);

    static FiftyScripts in(Path directory) throws IOException {
        FiftyScripts scripts = new FiftyScripts(directory);
        for (int i = 1; i <= COUNT; i++) {
            scripts.write(
                    i,
                    (i == 1 ? "create table ran(n int);\n" : "") + "create table t" + i + "(a int);\n" + ran(i) + ";");
        }
        return scripts;
    }

    /** The last statement of a script. */
    static String ran(int script) {
        return "insert into ran values (" + script + ")";
    }

    /** Lets a script do what is still to be done, wherever it was stopped. */
    void correct(String name) throws IOException {
        int i = Integer.parseInt(name.substring(1, name.indexOf('_')));
        write(i, """
                create table if not exists ran(n int);
                create table if not exists t%1$d(a int);
                insert into ran select %1$d where not exists (select 1 from ran where n = %1$d);
                """.formatted(i));
    }

    private void write(int i, String text) throws IOException {
        Files.writeString(directory.resolve(name(i)), text);
    }

    static String name(int script) {
        return "V" + script + "__make_t" + script + ".sql";
    }

    static List<String> names() {
        return IntStream.rangeClosed(1, COUNT).mapToObj(FiftyScripts::name).toList();
    }

    /** Each once, in order, with nothing missing and nothing left over. */
    void assertComplete(String url) {
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        try {
            assertComplete(engines.engine(url));
        } finally {
            engines.close().block(LONG);
        }
    }

    private void assertComplete(Engine engine) {
        MigrationRunner runner = MigrationRunner.on(engine).locations("filesystem:" + directory);
        List<MigrationStatus> history = Objects.requireNonNull(runner.info().block(LONG)).stream()
                .filter(migration -> migration.applied() != null)
                .toList();
        assertThat(history).extracting(MigrationStatus::script).isEqualTo(names());
        assertThat(history).extracting(MigrationStatus::state).containsOnly(MigrationState.SUCCESS);
        assertThat(history)
                .extracting(
                        migration -> Objects.requireNonNull(migration.applied()).rank())
                .isEqualTo(numbers());
        assertThat(all(engine, "select n from ran order by n")).isEqualTo(numbers());
        assertThat(all(engine, "select 0" + tables())).containsExactly(0);
    }

    private static String tables() {
        return numbers().stream()
                .map(i -> " + (select count(*) from t" + i + ")")
                .collect(Collectors.joining());
    }

    private static List<Integer> numbers() {
        return IntStream.rangeClosed(1, COUNT).boxed().toList();
    }

    private static List<Integer> all(Engine engine, String sql) {
        return Objects.requireNonNull(
                engine.sql(sql).map(Integer.class).all().collectList().block(LONG));
    }
}
