package dev.r2dbcengine.migrate;

import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A process that migrates on command, and then stays until its input ends, as an application would.
 *
 * <p>Arguments: the URL of the database, and the directory of the scripts.
 */
final class Pod {

    static final String PREFIX = "pod ";

    private Pod() {}

    public static void main(String... arguments) throws IOException {
        // Many on few cores: what a slow start means is not at issue here.
        EngineSettings patient = EngineSettings.builder()
                .maxCreateConnectionTime(Duration.ZERO)
                .maxAcquireTime(Duration.ZERO)
                .build();
        ReactiveEngineCache engines =
                ReactiveEngineCache.builder().settings(patient).build();
        MigrationRunner runner = MigrationRunner.on(engines.engine(arguments[0]))
                .locations("filesystem:" + arguments[1])
                .connectTimeout(Duration.ofMinutes(1))
                .listener(new Waiting());
        say("ready");
        System.in.read();
        say(outcome(runner));
        while (System.in.read() >= 0) {
            say("stays");
        }
        engines.close().block();
    }

    private static String outcome(MigrationRunner runner) {
        try {
            MigrationReport report = Objects.requireNonNull(runner.migrate().block(Duration.ofMinutes(2)));
            report.applied().forEach(done -> say("applied " + done.migration().script()));
            return "done";
        } catch (RuntimeException e) {
            return "failed " + e + ", caused by " + e.getCause();
        }
    }

    private static void say(String line) {
        System.out.println(PREFIX + line);
    }

    private record Waiting() implements MigrationListener {
        @Override
        public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
            say("waits for " + holder);
        }
    }
}
