package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import name.nkonev.r2dbc.migrate.core.R2dbcMigrate;
import name.nkonev.r2dbc.migrate.core.R2dbcMigrateProperties;
import name.nkonev.r2dbc.migrate.reader.MigrateResource;
import org.flywaydb.core.Flyway;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A tool that migrates, from its connection to its end. */
enum Migrator {
    ENGINE(Peer.ENGINE) {
        @Override
        void migrate(MigrationServer.Database database, Path directory) {
            ReactiveEngineCache engines = ReactiveEngineCache.create();
            MigrationRunner.on(engines.engine(database.r2dbcUrl()))
                    .locations("filesystem:" + directory)
                    .migrate()
                    .then(engines.close())
                    .block();
        }
    },
    /**
     * One connection and the statements that the engine sends for each script, without a lock, checksums, or a check of
     * the history.
     */
    BY_HAND(Peer.BY_HAND) {
        @Override
        void migrate(MigrationServer.Database database, Path directory) throws IOException {
            List<Path> files;
            try (Stream<Path> all = Files.list(directory)) {
                files = all.sorted(Comparator.comparingInt(Migrator::version)).toList();
            }
            Mono.usingWhen(
                            database.factory().create(),
                            connection -> Flux.fromStream(database.history())
                                    .concatMap(sql -> send(connection, sql))
                                    .thenMany(Flux.fromIterable(files))
                                    .concatMap(file -> script(database, connection, file))
                                    .then(),
                            Connection::close)
                    .block();
        }

        private Mono<Void> script(MigrationServer.Database database, Connection connection, Path file) {
            int rank = version(file);
            Mono<Void> body = Mono.fromCallable(() -> Files.readString(file))
                    .flatMapIterable(text -> List.of(text.split(";\n")))
                    .concatMap(sql -> send(connection, sql))
                    .then();
            return database.rollsBack()
                    ? begin(connection)
                            .then(body)
                            .then(row(database, connection, rank))
                            .then(commit(connection))
                    : row(database, connection, rank)
                            .then(begin(connection))
                            .then(body)
                            .then(commit(connection))
                            .then(succeed(connection, rank))
                            .then(send(connection, database.restore()));
        }

        private Mono<Void> begin(Connection connection) {
            return Mono.defer(() -> Mono.from(connection.beginTransaction()));
        }

        private Mono<Void> commit(Connection connection) {
            return Mono.defer(() -> Mono.from(connection.commitTransaction()));
        }

        private Mono<Void> row(MigrationServer.Database database, Connection connection, int i) {
            return Mono.defer(() -> run(connection
                    .createStatement(
                            "insert into \"flyway_schema_history\" (\"installed_rank\", \"version\", \"description\","
                                    + " \"type\", \"script\", \"checksum\", \"installed_by\", \"execution_time\","
                                    + " \"success\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
                                    + (database.rollsBack() ? " returning " + database.restore() : ""))
                    .bind(0, i)
                    .bind(1, String.valueOf(i))
                    .bind(2, "t" + i)
                    .bind(3, "SQL")
                    .bind(4, "V" + i + "__t" + i + ".sql")
                    .bind(5, i)
                    .bind(6, "postgres")
                    .bind(7, 1)
                    .bind(8, database.rollsBack())));
        }

        private Mono<Void> succeed(Connection connection, int i) {
            return Mono.defer(() -> run(connection
                    .createStatement("update \"flyway_schema_history\" set \"success\" = $1, \"execution_time\" = $2"
                            + " where \"installed_rank\" = $3")
                    .bind(0, true)
                    .bind(1, 1)
                    .bind(2, i)));
        }

        private static Mono<Void> send(Connection connection, String sql) {
            return Mono.defer(() -> run(connection.createStatement(sql)));
        }

        private static Mono<Void> run(Statement statement) {
            return Flux.from(statement.execute())
                    .concatMap(Result::getRowsUpdated)
                    .then();
        }
    },
    FLYWAY("Flyway") {
        @Override
        void migrate(MigrationServer.Database database, Path directory) {
            Flyway.configure()
                    .loggers("slf4j")
                    .dataSource(database.jdbcUrl(), database.user(), database.password())
                    .locations("filesystem:" + directory)
                    .load()
                    .migrate();
        }
    },
    R2DBC_MIGRATE("r2dbc-migrate") {
        @Override
        void migrate(MigrationServer.Database database, Path directory) {
            R2dbcMigrateProperties properties = new R2dbcMigrateProperties();
            properties.setResourcesPath(directory.toString());
            R2dbcMigrate.migrate(database.factory(), properties, path -> files(directory), null, null)
                    .block();
        }

        private static List<MigrateResource> files(Path directory) {
            try (Stream<Path> files = Files.list(directory)) {
                return files.<MigrateResource>map(File::new).toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private record File(Path path) implements MigrateResource {
        @Override
        public boolean isReadable() {
            return true;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return Files.newInputStream(path);
        }

        @Override
        public String getFilename() {
            return path.getFileName().toString();
        }
    }

    final String title;

    Migrator(String title) {
        this.title = title;
    }

    abstract void migrate(MigrationServer.Database database, Path directory) throws Exception;

    static int version(Path file) {
        String name = file.getFileName().toString();
        return Integer.parseInt(name.substring(1, name.indexOf('_')));
    }

    /** The statements of one script. */
    static List<String> statements(int i) {
        return List.of(
                "create table t" + i + " (id int primary key, name varchar(60) not null)",
                "insert into t" + i + " values (" + i + ", 'name " + i + "')");
    }
}
