package dev.r2dbcengine.migrate;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A {@link Pod} as its parent sees it. */
final class PodProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    private PodProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** Starts one, with the class path of this JVM. */
    static PodProcess start(String url, Path scripts) {
        try {
            return new PodProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Pod.class.getName(),
                            url,
                            scripts.toString())
                    .redirectErrorStream(true)
                    .directory(new File(System.getProperty("java.io.tmpdir")))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it is about to begin. */
    PodProcess ready() {
        readUntil("ready"::equals);
        return this;
    }

    /** Lets it begin. */
    PodProcess go() {
        try {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has ended its run, or was killed: {@code done}, or {@code failed} and why, or nothing. */
    String outcome() {
        readUntil(line -> line.equals("done") || line.startsWith("failed "));
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** The scripts that it has applied. */
    List<String> applied() {
        return lines.stream()
                .filter(line -> line.startsWith("applied "))
                .map(line -> line.substring("applied ".length()))
                .toList();
    }

    /** SIGKILL. Returns when it is gone. */
    void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void readUntil(Predicate<String> last) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String said = line.startsWith(Pod.PREFIX) ? line.substring(Pod.PREFIX.length()) : "? " + line;
                lines.add(said);
                if (last.test(said)) {
                    return;
                }
            }
            lines.add("gone");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
