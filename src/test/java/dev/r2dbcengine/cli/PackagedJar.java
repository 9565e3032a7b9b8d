package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The packaged jar of the command line, run as a process.
 *
 * @param directory the working directory of the process
 */
record PackagedJar(Path directory) {

    private static final int LONGEST_RUN = 60;
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String C1 = "-XX:TieredStopAtLevel=1";
    private static final String GC = "-XX:+UseSerialGC";

    /** Runs a command without the variables of this JVM's environment that change the output. */
    Called run(Map<String, String> environment, String... args) {
        return start(environment, args).result();
    }

    /** A command that runs. */
    record Running(Process process, Path out, Path err) {

        /** Blocks until it ends. */
        Called result() {
            try {
                assertThat(process.waitFor(LONGEST_RUN, TimeUnit.SECONDS))
                        .as("it ends")
                        .isTrue();
                return new Called(process.exitValue(), Files.readString(out), Files.readString(err));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Starts a command without the variables of this JVM's environment that change the output. */
    Running start(Map<String, String> environment, String... args) {
        try {
            return start(environment, Files.createTempFile(directory, "cli", ".out"), args);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command whose output does not fit on the device. */
    Called toFullDevice(Map<String, String> environment, String... args) {
        try {
            Running running = start(environment, Path.of("/dev/full"), args);
            return new Running(running.process(), Files.createTempFile(directory, "cli", ".out"), running.err())
                    .result();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Running start(Map<String, String> environment, Path out, String... args) {
        try {
            Path err = Files.createTempFile(directory, "cli", ".err");
            ProcessBuilder builder = new ProcessBuilder(line(args).toList())
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeAll(List.of("COLUMNS", "NO_COLOR", "JAVA_TOOL_OPTIONS", "TERM"));
            builder.environment().putAll(environment);
            return new Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command line. The JVM options only make many short processes start faster. */
    static Stream<String> line(String... args) {
        return Stream.concat(
                Stream.of(JAVA, C1, GC, "-XX:SharedArchiveFile=" + Archive.FILE, "-jar", jar()), Stream.of(args));
    }

    /** Returns the path of the jar. */
    static String jar() {
        return Objects.requireNonNull(
                System.getProperty("cli.jar"), "-Dcli.jar names the jar that ./mvnw package has made");
    }

    /** A class data sharing archive for all processes of this JVM's tests. */
    private static final class Archive {
        private static final Path FILE = make();

        private static Path make() {
            try {
                Path directory = Files.createTempDirectory("cli");
                Path file = directory.resolve("cli.jsa");
                Process process = new ProcessBuilder(
                                JAVA,
                                C1,
                                GC,
                                "-XX:ArchiveClassesAtExit=" + file,
                                "-jar",
                                jar(),
                                "info",
                                "--url=r2dbc:h2:mem:///archive",
                                "--locations=filesystem:" + directory)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                assertThat(process.waitFor(LONGEST_RUN, TimeUnit.SECONDS))
                        .as("it ends")
                        .isTrue();
                directory.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
