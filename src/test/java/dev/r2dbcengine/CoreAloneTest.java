package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The core works without the libraries of the optional integrations. */
class CoreAloneTest {
    private static final Pattern INTEGRATED =
            Pattern.compile(".*/(micrometer-[^/]*|context-propagation|junit-[^/]*|spring-[^/]*|jooq)-[0-9][^/]*[.]jar");

    private final Path classes = Path.of(ReactiveEngineCache.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath());
    private final URLClassLoader alone = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader());

    private URL[] urls() {
        Stream<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        entry.endsWith(".jar") && !INTEGRATED.matcher(entry).matches())
                .map(Path::of);
        return Stream.concat(Stream.of(classes), jars).map(CoreAloneTest::url).toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        alone.close();
    }

    @Test
    void everyCoreClassLinksWithoutIntegrationLibraries() throws Exception {
        List<String> names = names();
        for (String name : names) {
            Class<?> loaded = Class.forName(name, true, alone);
            // Reflection resolves the types in signatures.
            assertThat(List.of(
                            loaded.getDeclaredMethods(), loaded.getDeclaredFields(), loaded.getDeclaredConstructors()))
                    .hasSize(3);
        }
        assertThat(names).hasSizeGreaterThan(200).contains("dev.r2dbcengine.Engine");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("integration"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.'))
                    .toList();
        }
    }

    @Test
    void integrationDoesNotLinkWithoutItsLibrary() {
        assertThatThrownBy(() -> Class.forName("dev.r2dbcengine.integration.micrometer.EngineTelemetry", true, alone)
                        .getDeclaredMethods())
                .isInstanceOf(NoClassDefFoundError.class);
    }
}
