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
 * The jar of the command line as it was built, run as a process.
 *
 * @param directory where it runs
 */
record PackagedJar(Path directory) {

    private static final int LONGEST_RUN = 60;

    /** Nothing of this JVM's environment decides what is printed. */
    Called run(Map<String, String> environment, String... args) {
        try {
            Path out = Files.createTempFile(directory, "cli", ".out");
            Path err = Files.createTempFile(directory, "cli", ".err");
            ProcessBuilder builder = new ProcessBuilder(line(args).toList())
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeAll(List.of("COLUMNS", "NO_COLOR", "JAVA_TOOL_OPTIONS", "TERM"));
            builder.environment().putAll(environment);
            Process process = builder.start();
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

    /** It needs no options of the virtual machine: these let many short processes start sooner. */
    static Stream<String> line(String... args) {
        String jar = Objects.requireNonNull(
                System.getProperty("cli.jar"), "-Dcli.jar names the jar that ./mvnw package has made");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.concat(
                Stream.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar), Stream.of(args));
    }
}
