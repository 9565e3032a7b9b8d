package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Sees the message of each exception that the library creates, caught or not, since the JVM records them. Exceptions
 * that a driver creates are not included.
 */
final class SecretsInExceptions implements AutoCloseable {
    private static final String OURS = "dev.r2dbcengine.";

    private final Recording recording = new Recording();

    SecretsInExceptions() {
        for (String event : List.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow")) {
            // Newer JDKs can drop events when there are many; older ones ignore the setting.
            recording.enable(event).withStackTrace().with("throttle", "off");
        }
        recording.start();
    }

    @Override
    public void close() {
        try (recording) {
            recording.stop();
            Path file = Files.createTempFile("exceptions", ".jfr");
            recording.dump(file);
            search(file);
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void search(Path file) throws IOException {
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                String message =
                        event.getEventType().getName().startsWith("jdk.Java") ? event.getString("message") : null;
                if (message != null && Secrets.isIn(message)) {
                    search(event, message);
                }
            }
        }
    }

    private static void search(RecordedEvent event, String message) {
        String type = event.getClass("thrownClass").getName();
        String maker = maker(event.getStackTrace());
        if (isOurs(type) || (maker != null && isOurs(maker))) {
            Secrets.search(message, type + " made in " + maker);
        }
    }

    private static boolean isOurs(String className) {
        return className.startsWith(OURS) && !isOfTests(className);
    }

    private static boolean isOfTests(String className) {
        return className.startsWith(Secrets.class.getPackageName()) || className.matches(".*(Test|IT|Contract)\\b.*");
    }

    /* Below the constructors of the exception. */
    private static @Nullable String maker(@Nullable RecordedStackTrace trace) {
        List<RecordedFrame> frames = trace == null ? List.of() : trace.getFrames();
        return frames.stream()
                .filter(frame -> !frame.getMethod().getName().equals("<init>"))
                .findFirst()
                .map(frame -> Objects.requireNonNull(frame.getMethod().getType().getName()))
                .orElse(null);
    }
}
