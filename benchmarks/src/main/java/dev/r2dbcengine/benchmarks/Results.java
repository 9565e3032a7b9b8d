package dev.r2dbcengine.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The result file: comment lines that describe the run, then one {@link Figure} per line. Each line is written at once,
 * so an interrupted run keeps its results.
 */
record Results(Path file) {
    private static final String COMMENT = "# ";

    /** Truncates the file. */
    Results begin(String command) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(
                file,
                List.of(
                        COMMENT + "date: " + Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        COMMENT + "commit: " + commit(),
                        COMMENT + "JDK: " + System.getProperty("java.vm.name") + " " + Runtime.version(),
                        COMMENT + "machine: " + machine(),
                        COMMENT + "command: " + command,
                        Figure.HEAD));
        return this;
    }

    void add(Figure figure) {
        append(figure.line());
    }

    void comment(String text) {
        append(COMMENT + text);
    }

    private void append(String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> comments() throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(COMMENT))
                    .map(line -> line.substring(COMMENT.length()))
                    .toList();
        }
    }

    List<Figure> figures() throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.startsWith(COMMENT) && !line.equals(Figure.HEAD))
                    .map(Figure::parse)
                    .toList();
        }
    }

    private static String machine() throws IOException {
        return String.format(
                Locale.ROOT,
                "%d cores, %s, %s, load %.1f at the start",
                Runtime.getRuntime().availableProcessors(),
                processor(),
                System.getProperty("os.name"),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processor() throws IOException {
        Path told = Path.of("/proc/cpuinfo");
        if (!Files.exists(told)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(told)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 2))
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*").start();
            try (BufferedReader told =
                    new BufferedReader(new InputStreamReader(git.getInputStream(), StandardCharsets.UTF_8))) {
                String commit = told.readLine();
                return commit == null ? "unknown" : commit;
            }
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}
