package dev.r2dbcengine.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the suites, each in its own process and within a time limit, into one result file, and creates tables and charts
 * from it. A failed suite is reported at the end and by the exit code; the others still run.
 *
 * <p>Arguments: {@code smoke} checks quickly whether everything runs; {@code only=REGEX} selects suites by name; {@code
 * report} creates tables and charts without measuring; {@code to=DIRECTORY} is the place of {@value #FILE}, {@code
 * RESULTS.md} and {@code charts} (default: {@code target/results} after {@code smoke} and {@code only}, else this
 * directory).
 */
public final class Measure {
    private static final String FILE = "results.csv";
    private static final int LIMIT_MINUTES = 15;

    private Effort effort = Effort.FULL;
    private String only = ".*";
    private boolean measuring = true;
    private Path to = Path.of(".");

    private Measure() {}

    /** Runs the suites; see the class for the arguments. */
    public static void main(String... args) throws Exception {
        Measure measure = new Measure();
        for (String arg : args) {
            measure.take(arg);
        }
        System.exit(measure.run(String.join(" ", args)) ? 0 : 1);
    }

    private void take(String arg) {
        String[] parts = arg.split("=", 2);
        switch (parts[0]) {
            case "smoke" -> {
                effort = Effort.SMOKE;
                to = Path.of("target", "results");
            }
            case "only" -> {
                only = parts[1];
                to = Path.of("target", "results");
            }
            case "report" -> measuring = false;
            case "to" -> to = Path.of(parts[1]);
            default -> throw new IllegalArgumentException(arg + " is none of: smoke, only=REGEX, report, to=DIRECTORY");
        }
    }

    private boolean run(String args) throws Exception {
        Results results = new Results(to.resolve(FILE));
        List<Suite> failed = measuring ? measure(results.begin(command(args))) : List.of();
        new Report(results).write(to);
        System.out.println("Results are in " + to.toAbsolutePath().normalize());
        failed.forEach(suite -> System.out.println("FAILED: " + suite));
        return failed.isEmpty();
    }

    private static String command(String args) {
        return "./mvnw -q -f benchmarks/pom.xml compile exec:exec" + (args.isEmpty() ? "" : " -Dargs=\"" + args + "\"");
    }

    private List<Suite> measure(Results results) throws Exception {
        List<Suite> failed = new ArrayList<>();
        for (Suite suite : Suite.values()) {
            if (suite.name().matches(only)) {
                long start = System.nanoTime();
                if (!run(suite, results)) {
                    failed.add(suite);
                    results.comment("failed: " + suite);
                }
                System.out.printf("%s took %,d s%n", suite, (System.nanoTime() - start) / 1_000_000_000);
            }
        }
        return failed;
    }

    private boolean run(Suite suite, Results results) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx2g",
                        Suite.class.getName(),
                        suite.name(),
                        effort.name(),
                        results.file().toString())
                .inheritIO()
                .start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
