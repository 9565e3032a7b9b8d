package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.testing.Page;
import dev.r2dbcengine.testing.Page.Example;
import dev.r2dbcengine.work.UnitOfWork;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/**
 * The README and the pages in docs are correct: their examples compile with the imports that they show and run, their
 * links resolve, and their lists are complete.
 */
@Tag("interoperation")
class ReadmeTest {
    private static final Pattern PUBLISHER = Pattern.compile("(?m)^(?:Mono|Flux)<.*?> (\\w+) =");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");
    private static final Pattern TEST = Pattern.compile("(?:`|=)\\*?(\\w*[a-z]\\w*(?:Test|IT))(?![\\w'])");
    private static final Path CONSUMER = Path.of("src/it/consumer");
    private static final String FRAME = """
            %s
            public class Example {
                public static org.reactivestreams.Publisher<?> run() {
                    %s
                    return %s;
                }
            }
            """;

    private static Stream<Example> all() {
        return Page.all().stream().flatMap(page -> page.examples().stream());
    }

    static Stream<Example> examples() {
        return all().filter(example -> PUBLISHER.matcher(example.code()).find());
    }

    static Stream<Example> tests() {
        return all().filter(example -> example.code().contains("@ExtendWith"));
    }

    static List<Page> pages() {
        return Page.all();
    }

    /** The last publisher of an example is subscribed and must emit and complete. */
    @ParameterizedTest
    @MethodSource("examples")
    void exampleCompilesAndCompletes(Example example, @TempDir Path folder) throws Exception {
        List<MatchResult> publishers =
                PUBLISHER.matcher(example.code()).results().toList();
        String last = publishers.get(publishers.size() - 1).group(1);

        assertThat(Page.compile(folder, "Example", FRAME.formatted(example.imports(), example.code(), last)))
                .isEmpty();

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Object publisher = loader.loadClass("Example").getMethod("run").invoke(null);
            StepVerifier.create(Flux.from((Publisher<?>) publisher))
                    .expectNextCount(1)
                    .thenConsumeWhile(any -> true)
                    .expectComplete()
                    .verify(Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @MethodSource("tests")
    void testExampleCompilesAndPasses(Example example, @TempDir Path folder) throws Exception {
        assertThat(Page.compile(folder, example.name(), example.imports() + example.code()))
                .isEmpty();

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass(example.name())))
                    .execute()
                    .testEvents()
                    .assertStatistics(events -> events.failed(0).succeeded(2));
        }
    }

    /** {@code -Prelease} runs that application with only the jar and one driver. */
    @Test
    void firstApplicationIsRunByConsumer() throws IOException {
        String application = Files.readString(CONSUMER.resolve("src/main/java/shop/Shop.java"));
        Example first = Page.README.examples().get(0);

        assertThat(Page.README.text()).contains("```java\n" + application + "```");
        assertThat(application.replaceAll("(?m)^ +", "")).contains(first.code().replaceAll("(?m)^ +", ""));
    }

    @Test
    void firstPomIsPomOfConsumer() throws IOException {
        String enforcer = " *<plugin>\\s*<groupId>[\\w.]+</groupId>\\s*<artifactId>maven-enforcer-plugin.*?</plugin>\n";
        String pom = Files.readString(CONSUMER.resolve("pom.xml"))
                .replaceAll("(?s)^.*?<modelVersion>", "<modelVersion>")
                .replaceAll("(?s)" + enforcer, "")
                .replace("@project.groupId@", "dev.r2dbcengine")
                .replace("@project.artifactId@", "r2dbc-engine")
                .replace("@project.version@", "0.1.0-SNAPSHOT");

        assertThat(Page.README.text()).contains(pom);
    }

    @Test
    void firstScriptIsRunByExamples() throws IOException {
        Pattern sql = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

        assertThat(Page.README.find(sql))
                .containsExactly(Files.readString(Path.of("src/test/resources/db/migration/V1__create_orders.sql")));
    }

    @Test
    void firstScreenShowsExampleAndCommands() {
        assertThat(examples()).hasSizeGreaterThan(8);
        assertThat(tests()).isNotEmpty();
        assertThat(Page.README.text().lines().limit(25))
                .anyMatch("```java"::equals)
                .anyMatch(line -> line.startsWith("./mvnw -q compile exec:java"))
                .anyMatch(line -> line.startsWith("./mvnw verify"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linkTargetExists(Page page) {
        assertThat(page.find(LINK).filter(link -> !link.startsWith("http"))).allSatisfy(link -> {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? page.path() : page.path().resolveSibling(parts[0]);
            assertThat(target).exists();
            assertThat(parts.length == 1 || anchors(Page.of(target)).contains(parts[1]))
                    .as("%s has the heading", link)
                    .isTrue();
        });
    }

    /* The anchors that GitHub generates from headings. */
    private static List<String> anchors(Page page) {
        return page.find(Pattern.compile("(?m)^#+ (.*)$"))
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w -]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void readmeLinksToEachPage() {
        assertThat(Page.docs())
                .isNotEmpty()
                .allSatisfy(page -> assertThat(Page.README.text())
                        .contains("(docs/" + page.path().getFileName() + ")"));
    }

    @Test
    void namedTestExists() throws IOException {
        try (Stream<Path> tests = Files.walk(Path.of("src/test/java"))) {
            List<String> names = tests.map(test -> test.getFileName().toString().replace(".java", ""))
                    .toList();

            assertThat(Stream.concat(Page.all().stream(), Stream.of(Page.of(Path.of("CONTRIBUTING.md"))))
                            .flatMap(page -> page.find(TEST))
                            .filter(name -> !name.equals("XTest") && !name.equals("XIT"))
                            .collect(Collectors.toSet()))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(name -> assertThat(names).anyMatch(test -> test.endsWith(name)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                EngineSettings.Builder.class,
                ReactiveEngineCache.Builder.class,
                UnitOfWork.class,
                MigrationRunner.class
            })
    void everySettingIsDocumented(Class<?> set) {
        String settings = Page.of(Path.of("docs/settings.md")).text();

        assertThat(Stream.of(set.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .filter(method -> method.getReturnType() == set)
                        .map(method -> "`" + method.getName() + "`"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(settings).contains(name));
    }
}
