package dev.r2dbcengine.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A pgbouncer in transaction mode in front of a PostgreSQL: each transaction gets another of its few sessions. */
public final class PgBouncer implements AutoCloseable {

    private static final Path PROGRAM = Stream.of(
                    "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(Path.of("none"));

    private final Process process;
    private final TestDatabase database;
    private final int port;

    private PgBouncer(Process process, TestDatabase database, int port) {
        this.process = process;
        this.database = database;
        this.port = port;
    }

    /** Returns whether the program is installed. */
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /** Starts a pgbouncer with a number of sessions for all of its clients. */
    public static PgBouncer before(TestDatabase database, int sessions, Path directory) throws IOException {
        int port = freePort();
        Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                %1$s = host=%2$s port=%3$d user=%4$s password=%5$s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %6$d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %7$d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        database.name(),
                        database.host(),
                        database.port(),
                        database.user(),
                        database.password(),
                        port,
                        sessions));
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), settings.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("pgbouncer.log").toFile())
                .start();
        return new PgBouncer(process, database, port).awaitOpen(directory);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private PgBouncer awaitOpen(Path directory) throws IOException {
        Path log = directory.resolve("pgbouncer.log");
        while (!Files.readString(log).contains("process up")) {
            if (!process.isAlive()) {
                throw new IllegalStateException("pgbouncer does not start: " + Files.readString(log));
            }
            Thread.onSpinWait();
        }
        return this;
    }

    /** Returns the URL of the database through pgbouncer, without prepared statements that outlive a transaction. */
    public String url() {
        return database.url().replace("@" + database.host() + ":" + database.port() + "/", "@127.0.0.1:" + port + "/")
                + "?preparedStatementCacheQueries=0";
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
