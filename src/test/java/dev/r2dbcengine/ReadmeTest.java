package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Compiles and runs the examples of the README: what each names last is subscribed, and must emit and complete. */
@Tag("interoperation")
class ReadmeTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PUBLISHER = Pattern.compile("(?m)^(?:Mono|Flux)<.*?> (\\w+) =");
    private static final String FRAME = """
            import dev.r2dbcengine.*;
            import dev.r2dbcengine.integration.micrometer.*;
            import dev.r2dbcengine.migrate.*;
            import dev.r2dbcengine.work.*;
            import io.micrometer.core.instrument.*;
            import io.micrometer.core.instrument.simple.*;
            import java.time.*;
            import java.util.*;
            import reactor.core.publisher.*;
            import reactor.util.context.Context;

            public class Example {
                public static org.reactivestreams.Publisher<?> run() {
                    %s
                    return %s;
                }
            }
            """;

    private static final String IMPORTS = """
            import dev.r2dbcengine.*;
            import dev.r2dbcengine.integration.junit.*;
            import org.junit.jupiter.api.*;
            import org.junit.jupiter.api.extension.*;
            import reactor.test.StepVerifier;

            %s
            """;

    static Stream<String> examples() throws IOException {
        return code().filter(example -> !example.contains("@Test"));
    }

    static Stream<String> tests() throws IOException {
        return code().filter(example -> example.contains("@Test"));
    }

    private static Stream<String> code() throws IOException {
        return JAVA.matcher(readme())
                .results()
                .map(found -> found.group(1))
                .filter(example -> !example.contains("@SpringBootApplication"));
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleCompilesAndDoesWhatItSays(String example, @TempDir Path folder) throws Exception {
        List<MatchResult> publishers = PUBLISHER.matcher(example).results().toList();
        String last = publishers.get(publishers.size() - 1).group(1);
        Path source = Files.writeString(folder.resolve("Example.java"), FRAME.formatted(example, last));

        assertThat(compile(source)).isEmpty();

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

    /** It is run there as users would, with the jar and one driver alone: {@code -Prelease}. */
    @Test
    void theFirstExampleIsWhatTheConsumerRuns() throws IOException {
        String application = Files.readString(Path.of("src/it/consumer/src/main/java/shop/Shop.java"));
        assertThat(application.replaceAll("(?m)^ +", ""))
                .contains(examples().findFirst().orElseThrow().replaceAll("(?m)^ +", ""));
    }

    @ParameterizedTest
    @MethodSource("tests")
    void aTestCompilesAndPasses(String example, @TempDir Path folder) throws Exception {
        Path source = Files.writeString(folder.resolve("OrdersTest.java"), IMPORTS.formatted(example));

        assertThat(compile(source)).isEmpty();

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass("OrdersTest")))
                    .execute()
                    .allEvents()
                    .assertStatistics(events -> events.failed(0).succeeded(4));
        }
    }

    private static String compile(Path source) {
        StringWriter errors = new StringWriter();
        ToolProvider.getSystemJavaCompiler()
                .getTask(
                        errors,
                        null,
                        null,
                        List.of("-parameters", "-classpath", System.getProperty("java.class.path")),
                        null,
                        ToolProvider.getSystemJavaCompiler()
                                .getStandardFileManager(null, null, null)
                                .getJavaFileObjects(source))
                .call();
        return errors.toString();
    }

    @Test
    void thereAreExamplesAndTheFirstScreenHasItAll() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(3);
        assertThat(readme().lines().limit(25))
                .anyMatch("```java"::equals)
                .anyMatch(line -> line.startsWith("./mvnw -q compile exec:java"))
                .anyMatch(line -> line.startsWith("./mvnw verify"));
    }
}
