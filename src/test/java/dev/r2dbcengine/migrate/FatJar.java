package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.springframework.boot.loader.launch.JarLauncher;

/** An application as Spring Boot packs and starts it, which prints the migrations that it finds. */
final class FatJar {

    private FatJar() {}

    /** Runs in the jar, in a process of its own. */
    public static void main(String[] locations) throws IOException {
        List<MigrationLocation> places =
                List.of(locations).stream().map(MigrationLocation::of).toList();
        MigrationFinder.find(places, NamingRules.FLYWAY, PlaceholderSettings.FLYWAY).migrations().stream()
                .map(migration -> migration.script() + " " + migration.checksum())
                .sorted()
                .forEach(System.out::println);
    }

    static String run(Path directory, MigrationTree application, MigrationTree library, String location)
            throws IOException, InterruptedException {
        MigrationTree packed = new MigrationTree(Files.createDirectories(directory.resolve("packed")));
        packed.write(
                JarFile.MANIFEST_NAME,
                "Manifest-Version: 1.0\nMain-Class: " + JarLauncher.class.getName() + "\nStart-Class: "
                        + FatJar.class.getName() + "\n\n");
        packed.copy(application.root(), "BOOT-INF/classes");
        for (Class<?> one : List.of(MigrationRunner.class, FatJar.class, Dialect.class, Printable.class)) {
            packed.copy(classesBeside(one), "BOOT-INF/classes/" + folder(one));
        }
        Files.createDirectories(packed.root().resolve("BOOT-INF/lib"));
        library.jar(packed.root().resolve("BOOT-INF/lib/library.jar"), true);
        URI loader = URI.create(
                "jar:" + JarLauncher.class.getProtectionDomain().getCodeSource().getLocation());
        try (FileSystem jar = FileSystems.newFileSystem(loader, Map.of())) {
            packed.copy(jar.getPath("/org"), "org");
        }
        return start(packed.jar(directory.resolve("fat.jar"), true), location);
    }

    private static Path classesBeside(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .resolve(folder(type));
    }

    private static String folder(Class<?> type) {
        return type.getPackageName().replace('.', '/');
    }

    private static String start(Path jar, String location) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dstdout.encoding=UTF-8",
                        "-Dfile.encoding=UTF-8",
                        "-jar",
                        jar.toString(),
                        location)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
