package dev.r2dbcengine.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * A PostgreSQL primary and a replica of a single test. The primary answers a COMMIT when the replica has stored it, so that a
 * promotion loses no reported commit.
 */
public final class ReplicatedPostgreSql implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Path primaryData;
    private final EmbeddedPostgres primary;
    private final EmbeddedPostgres replica;
    private boolean primaryKilled;

    private ReplicatedPostgreSql(Path primaryData, EmbeddedPostgres primary, EmbeddedPostgres replica) {
        this.primaryData = primaryData;
        this.primary = primary;
        this.replica = replica;
    }

    /** Starts both with their data below a directory. */
    public static ReplicatedPostgreSql start(Path directory) throws IOException {
        Path primaryData = directory.resolve("primary");
        Path replicaData = directory.resolve("replica");
        EmbeddedPostgres.Builder first = builder(primaryData);
        EmbeddedPostgres initial = first.start();
        int port = initial.getPort();
        initial.close();
        copy(primaryData, replicaData);
        Files.createFile(replicaData.resolve("standby.signal"));
        Files.writeString(
                replicaData.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=postgres application_name=replica'\n",
                StandardOpenOption.APPEND);
        EmbeddedPostgres primary = first.setPort(port).start();
        EmbeddedPostgres replica = builder(replicaData).start();
        ReplicatedPostgreSql both = new ReplicatedPostgreSql(primaryData, primary, replica);
        both.onPrimary("alter system set synchronous_standby_names = '*'");
        both.onPrimary("select pg_reload_conf()");
        return both;
    }

    private static EmbeddedPostgres.Builder builder(Path data) {
        return EmbeddedPostgreSql.builder(data).setServerConfig("synchronous_commit", "on");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Returns the URL that names the primary, then the replica. */
    public String url() {
        return "r2dbc:postgresql://postgres@127.0.0.1:" + primary.getPort() + ",127.0.0.1:" + replica.getPort()
                + "/postgres";
    }

    /** Runs a statement on the primary. */
    public void onPrimary(String sql) {
        execute(primary, sql);
    }

    /** Kills the primary with SIGKILL. Its sessions end with it. */
    public void killPrimary() throws IOException {
        EmbeddedPostgreSql.process(primaryData).destroyForcibly();
        primaryKilled = true;
    }

    /** Makes the replica the primary. */
    public void promoteReplica() {
        execute(replica, "select pg_promote(true, 30)");
    }

    private static void execute(EmbeddedPostgres server, String sql) {
        Mono<Void> executed =
                new PostgreSqlServer().execute(EmbeddedPostgreSql.options(server.getPort(), "postgres", ""), sql);
        executed.block(LONG);
    }

    @Override
    public void close() throws IOException {
        replica.close();
        if (!primaryKilled) {
            primary.close();
        }
    }
}
