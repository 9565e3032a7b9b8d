package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.loader.tools.Libraries;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/** The application in an executable jar of Spring Boot, with the library as a nested jar and without the actuator. */
class FatJarIT {
    private static final Pattern NEEDED = Pattern.compile(
            "(spring-(?!boot-(test|health|actuator|micrometer|loader|data)|test|data|jdbc)|reactor-|reactive-"
                    + "|netty-|r2dbc-(spi|pool|h2)|h2-|jackson-|jspecify|commons-logging|slf4j-api|logback-|snakeyaml"
                    + "|micrometer-(commons|observation-1)|jakarta).*");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void applicationInJarFindsMigrationsAndServes() throws Exception {
        Path application = directory.resolve("shop.jar");
        jar(application, classes(Shop.class), "dev/r2dbcengine/integration/spring/Shop", "shop/migration/");
        Path library = directory.resolve("r2dbc-engine.jar");
        jar(library, classes(Engine.class), "dev/r2dbcengine/", "META-INF/spring");
        Repackager repackager = new Repackager(application.toFile());
        repackager.setMainClass(Shop.class.getName());
        repackager.setBackupSource(false);
        repackager.repackage(libraries(library));

        String output = run(application);

        assertThat(output).contains("answer 200 order 1", "actuator false");
    }

    private static Path classes(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void jar(Path jar, Path root, String... prefixes) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(root)) {
            for (Path path : files.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(path).toString().replace(File.separatorChar, '/');
                if (Stream.of(prefixes).anyMatch(name::startsWith)) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(path, out);
                }
            }
        }
    }

    private static Libraries libraries(Path library) {
        List<File> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(File::new)
                .filter(jar -> NEEDED.matcher(jar.getName()).matches())
                .toList();
        return callback -> {
            callback.library(new Library(library.toFile(), LibraryScope.COMPILE));
            for (File jar : jars) {
                callback.library(new Library(jar, LibraryScope.COMPILE));
            }
        };
    }

    private static String run(Path jar) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dstdout.encoding=UTF-8",
                        "-jar",
                        jar.toString(),
                        "--server.port=0",
                        "--r2dbc-engine.url=r2dbc:h2:mem:///shop",
                        "--r2dbc-engine.migrate.locations=classpath:shop/migration")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
