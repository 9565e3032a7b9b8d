package dev.r2dbcengine.testing;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import reactor.core.publisher.Mono;

/**
 * Starts a PostgreSQL for this JVM on a free port of 127.0.0.1. A shutdown hook stops it and deletes its data. The
 * unpacked program stays in the temporary directory of the user for the next JVM.
 */
final class EmbeddedPostgreSql {
    private static final String USER = "tester";
    private static final String PASSWORD = Secrets.MARK + "server";

    /** The user that starts the server logs in without a password; all others need one. */
    private static final String ACCESS = """
            host all postgres 127.0.0.1/32 trust
            host all postgres ::1/128 trust
            host replication postgres 127.0.0.1/32 trust
            host all all 127.0.0.1/32 scram-sha-256
            """;

    /** The number of hash rounds of a login; an older server does not know the setting and uses 4,096. */
    private static final String QUICK_LOGIN =
            "select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'; ";

    private EmbeddedPostgreSql() {}

    static ConnectionFactoryOptions start() {
        try {
            @SuppressWarnings("resource") // Its own shutdown hook closes it.
            EmbeddedPostgres server = builder().start();
            createUser(options(server.getPort(), "postgres", ""));
            return options(server.getPort(), USER, PASSWORD);
        } catch (IOException failure) {
            throw new UncheckedIOException("PostgreSQL does not start", failure);
        }
    }

    static EmbeddedPostgres.Builder builder() {
        String directory = "r2dbc-engine-postgresql-" + System.getProperty("user.name");
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(new File(System.getProperty("java.io.tmpdir"), directory))
                .setDataDirectoryCustomizer(data -> restrict(data.toPath()))
                .setServerConfig("max_connections", "300")
                // Only a crash of the machine could lose data by this, and DROP DATABASE does not wait for the disk.
                .setServerConfig("fsync", "off")
                .setServerConfig("listen_addresses", "127.0.0.1");
    }

    /** Returns a builder of a server that keeps its data in a directory. */
    static EmbeddedPostgres.Builder builder(Path data) {
        return builder().setDataDirectory(data).setCleanDataDirectory(false);
    }

    /** Returns the process of the server with this data. */
    static ProcessHandle process(Path data) throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(pid.trim())).orElseThrow();
    }

    private static void restrict(Path data) {
        try {
            Files.writeString(data.resolve("pg_hba.conf"), ACCESS);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void createUser(ConnectionFactoryOptions superuser) {
        String sql = QUICK_LOGIN + "create role " + USER + " superuser login password " + TestServer.quoted(PASSWORD);
        Mono<Void> created = new PostgreSqlServer().execute(superuser, sql);
        created.block();
    }

    static ConnectionFactoryOptions options(int port, String user, String password) {
        return ConnectionFactoryOptions.builder()
                .option(ConnectionFactoryOptions.DRIVER, "postgresql")
                .option(ConnectionFactoryOptions.HOST, "127.0.0.1")
                .option(ConnectionFactoryOptions.PORT, port)
                .option(ConnectionFactoryOptions.USER, user)
                .option(ConnectionFactoryOptions.PASSWORD, password)
                .build();
    }
}
