package dev.r2dbcengine.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command {@code info} on many applied migrations, from the start of the process to its end: the packaged jar beside
 * {@link FlywayInfo}, by turns. Prints medians of the time and of the largest resident set, which Linux tells.
 *
 * <p>Arguments: the jar of the command line; {@code rounds=N}; {@code scripts=N}.
 */
public final class Processes {
    private static final String PEAK = "VmHWM:";

    private record Run(double millis, double megabytes) {}

    private Processes() {}

    /** See the class. */
    public static void main(String... args) throws Exception {
        int rounds = number(args, "rounds", 9);
        Path scripts = scripts(number(args, "scripts", 500));
        System.out.println("| on | engine | Flyway | ratio | engine | Flyway | ratio |");
        System.out.println("|---|---|---|---|---|---|---|");
        Path file = Files.createTempDirectory("h2").resolve("h2");
        measure("h2", args[0], scripts, "r2dbc:h2:file:///" + file, "jdbc:h2:file:" + file, "", rounds);
        for (MigrationServer server : MigrationServer.all()) {
            if (server.name().equals("postgresql")) {
                try (MigrationServer.Database database = server.create()) {
                    measure(
                            "postgresql",
                            args[0],
                            scripts,
                            database.r2dbcUrl(),
                            database.jdbcUrl(),
                            "postgres",
                            rounds);
                }
            }
            server.close();
        }
    }

    private static int number(String[] args, String name, int otherwise) {
        return Stream.of(args)
                .filter(arg -> arg.startsWith(name + "="))
                .map(arg -> Integer.parseInt(arg.substring(name.length() + 1)))
                .findFirst()
                .orElse(otherwise);
    }

    private static Path scripts(int count) throws IOException {
        Path directory = Files.createTempDirectory("migrations");
        for (int i = 1; i <= count; i++) {
            Files.writeString(
                    directory.resolve("V" + i + "__t" + i + ".sql"),
                    String.join(";\n", Migrator.statements(i)) + ";\n");
        }
        return directory;
    }

    private static void measure(
            String name, String jar, Path scripts, String r2dbc, String jdbc, String user, int rounds)
            throws Exception {
        List<String> engine = List.of("-jar", jar, "info", "--url", r2dbc, "--locations", "filesystem:" + scripts);
        List<String> flyway =
                List.of("-cp", flywayClassPath(), FlywayInfo.class.getName(), jdbc, scripts.toString(), user, user);
        List<String> migrate = new ArrayList<>(engine);
        migrate.set(2, "migrate");
        run(migrate);
        List<Run> ours = new ArrayList<>();
        List<Run> theirs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ours.add(run(engine));
            theirs.add(run(flyway));
        }
        double[] figures = {millis(ours), millis(theirs), megabytes(ours), megabytes(theirs)};
        System.out.printf(
                "| %s | %,.0f ms | %,.0f ms | %.2f | %,.0f MB | %,.0f MB | %.2f |%n",
                name, figures[0], figures[1], figures[0] / figures[1], figures[2], figures[3], figures[2] / figures[3]);
    }

    /** Flyway and its drivers alone, as one would pack them. */
    private static String flywayClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*(classes|flyway-.*|/h2-.*|/postgresql-.*|jackson-.*)"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Run run(List<String> args) throws Exception {
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
        if (process.exitValue() != 0) {
            throw new IllegalStateException(line + ": " + Files.readString(errors));
        }
        return new Run((System.nanoTime() - start) / 1e6, peak / 1024.0);
    }

    private static long peak(long process) throws IOException {
        try (Stream<String> status = Files.lines(Path.of("/proc", Long.toString(process), "status"))) {
            return status.filter(line -> line.startsWith(PEAK))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (NoSuchFileException over) {
            return 0;
        }
    }

    private static double millis(List<Run> runs) {
        return runs.stream().mapToDouble(Run::millis).sorted().toArray()[runs.size() / 2];
    }

    private static double megabytes(List<Run> runs) {
        return runs.stream().mapToDouble(Run::megabytes).sorted().toArray()[runs.size() / 2];
    }
}
