package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.internal.info.MigrationInfoDumper;
import reactor.core.publisher.Mono;

/** Minimal applications. Each is a process with only the libraries that it needs on its class path. */
public final class Application {
    private static final String QUERY = "select count(*) from t1";

    private Application() {}

    /** Arguments: the library, R2DBC URL, JDBC URL, user and password, folder of migrations. */
    public static void main(String... args) {
        switch (args[0]) {
            case "engine" -> engine(args[1], args[4]);
            case "flyway" -> flyway(args[1], args[2], args[3], args[4]);
            default -> info(args[2], args[3], args[4]);
        }
        System.exit(0);
    }

    private static void engine(String url, String folder) {
        Engine engine = ReactiveEngineCache.create().engine(url);
        Long rows = MigrationRunner.on(engine)
                .locations("filesystem:" + folder)
                .migrate()
                .then(engine.sql(QUERY).map(Long.class).one())
                .block();
        System.out.println(rows);
    }

    private static void flyway(String url, String jdbcUrl, String user, String folder) {
        of(jdbcUrl, user, folder).load().migrate();
        ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get(url))
                .build());
        Long rows = Mono.usingWhen(
                        pool.create(),
                        connection -> Mono.from(
                                        connection.createStatement(QUERY).execute())
                                .flatMap(result -> Mono.from(result.map(row -> row.get(0, Long.class)))),
                        connection -> connection.close())
                .block();
        System.out.println(rows);
    }

    /** A hand-written {@code info} on Flyway's API, without its command line. */
    private static void info(String jdbcUrl, String user, String folder) {
        System.out.println(MigrationInfoDumper.dumpToAsciiTable(
                of(jdbcUrl, user, folder).load().info().all()));
    }

    private static FluentConfiguration of(String jdbcUrl, String user, String folder) {
        return Flyway.configure().dataSource(jdbcUrl, user, user).locations("filesystem:" + folder);
    }
}
