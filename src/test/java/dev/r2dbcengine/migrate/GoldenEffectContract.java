package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Readable;
import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The golden scripts do on their database what {@code golden/migrate/effects.txt} says, and not only look right. */
abstract class GoldenEffectContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String OLDER = "older-than ";

    private final Server server;

    GoldenEffectContract(Server server) {
        this.server = server;
    }

    @TestFactory
    Stream<DynamicTest> scriptHasTheEffectInItsFile() throws IOException, URISyntaxException {
        Map<String, List<String>> stories = FlywayStory.all("/golden/migrate/effects.txt").stream()
                .collect(Collectors.toMap(lines -> lines.get(0), lines -> lines.subList(1, lines.size())));
        String dialect = server.name().toLowerCase(Locale.ROOT);
        return GoldenScript.all().stream()
                .filter(golden -> golden.dialectName().equals(dialect))
                .map(golden -> dynamicTest(golden.name(), () -> tell(golden, story(stories, golden))));
    }

    private static List<String> story(Map<String, List<String>> stories, GoldenScript golden) {
        String name = golden.name().substring("script-".length());
        List<String> own = stories.get(golden.dialectName() + "/" + name);
        return own == null ? stories.getOrDefault("*/" + name, List.of()) : own;
    }

    private void tell(GoldenScript golden, List<String> story) {
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive()) {
            for (String line : story) {
                if (line.startsWith("before ")) {
                    database.execute(rest(line)).block(LONG);
                }
            }
            MigrationRunner runner = MigrationRunner.on(engines.engine(database.url()))
                    .locations()
                    .sources(new MemorySource(new TreeMap<>(Map.of(GoldenScript.FILE, golden.script()))))
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .placeholderReplacement(false)
                    .mixed(true);
            List<String> here = here(story, database);
            run(golden, here, runner);
            look(golden, here, database, engines);
        } finally {
            engines.close().block(LONG);
        }
    }

    /** The story on a server of this version: it ends where an older one refuses the script. */
    private static List<String> here(List<String> story, TestDatabase database) {
        int older = IntStream.range(0, story.size())
                .filter(i -> story.get(i).startsWith(OLDER))
                .findFirst()
                .orElse(-1);
        if (older < 0) {
            return story;
        }
        String[] told = rest(story.get(older)).split(" ", 2);
        List<String> rest = majorVersion(database) < Integer.parseInt(told[0])
                ? List.of(told[1])
                : story.subList(older + 1, story.size());
        return Stream.concat(story.subList(0, older).stream(), rest.stream()).toList();
    }

    private static int majorVersion(TestDatabase database) {
        return Objects.requireNonNull(
                        database.query("select current_setting('server_version_num')::int / 10000", Integer.class)
                                .block(LONG))
                .get(0);
    }

    private static String rest(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? "" : line.substring(space + 1);
    }

    private static void run(GoldenScript golden, List<String> story, MigrationRunner runner) {
        int error = golden.statements().indexOf("=== error\n");
        Integer refused = refusedLine(story);
        if (error >= 0) {
            assertThat(story).as("a script that cannot be cut has no effect").isEmpty();
            assertThat(catchThrowable(() -> runner.migrate().block(LONG)))
                    .hasMessageContaining(
                            golden.statements().substring(error + 10).strip());
        } else if (refused == null) {
            assertThat(story).as("effects.txt says what it does").isNotEmpty();
            assertThat(Objects.requireNonNull(runner.migrate().block(LONG)).applied())
                    .hasSize(1);
        } else {
            assertThat(catchThrowable(() -> runner.migrate().block(LONG)))
                    .isInstanceOfSatisfying(MigrationException.class, failure -> {
                        assertThat(failure.getCause()).isInstanceOf(R2dbcException.class);
                        assertThat(failure.line()).isEqualTo(refused);
                    });
        }
    }

    private static @Nullable Integer refusedLine(List<String> story) {
        return story.stream()
                .filter(line -> line.startsWith("refused "))
                .map(line -> Integer.valueOf(line.split(" ", 3)[1]))
                .findFirst()
                .orElse(null);
    }

    private void look(GoldenScript golden, List<String> story, TestDatabase database, ReactiveEngineCache engines) {
        Map<String, List<String>> expected = new HashMap<>();
        String query = "";
        for (String line : story) {
            if (line.startsWith("ask ")) {
                query = rest(line);
                expected.put(query, new ArrayList<>());
            } else if (line.startsWith("= ")) {
                Objects.requireNonNull(expected.get(query)).add(rest(line));
            } else if (line.startsWith("answers")) {
                assertThat(String.join(" ", answers(golden, engines, database))).isEqualTo(rest(line));
            }
        }
        expected.forEach((ask, rows) -> assertThat(
                        Objects.requireNonNull(database.query(ask, Object.class).block(LONG)).stream()
                                .map(Object::toString))
                .as(ask)
                .isEqualTo(rows));
    }

    /** The rows of all statements, each sent as a migration sends it. */
    private static List<String> answers(GoldenScript golden, ReactiveEngineCache engines, TestDatabase database) {
        Mono<List<String>> rows = Mono.usingWhen(
                engines.engine(database.url()).openConnection(),
                connection -> Flux.fromIterable(
                                GoldenScript.statements(golden.dialect(), GoldenScript.script(golden.script())))
                        .concatMap(
                                statement -> rows(connection, golden.dialect().forBatch(statement.text())))
                        .collectList(),
                Connection::close);
        return Objects.requireNonNull(rows.block(LONG));
    }

    private static Flux<String> rows(Connection connection, String statement) {
        return Flux.from(connection.createBatch().add(statement).execute())
                .concatMap(result -> result.map((row, columns) -> IntStream.range(
                                0, columns.getColumnMetadatas().size())
                        .mapToObj(i -> value(row, i))
                        .collect(Collectors.joining(",", "[", "]"))));
    }

    private static String value(Readable row, int column) {
        return String.valueOf(row.get(column));
    }
}
