package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.EngineStatus.Connections;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.testing.Secrets;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.UnitOfWork;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An engine whose database is behind a network, and what is done with it: in tables of its own, which have this name. */
record NetworkedEngine(ReactiveEngineCache engines, Engine engine, TestDatabase database, String name) {

    static final Duration CREATION = Duration.ofSeconds(3);

    private static final Duration LONG = Duration.ofSeconds(60);

    static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static NetworkedEngine at(String url, TestDatabase database, String name) {
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder()
                        .maxSize(2)
                        .maxCreateConnectionTime(CREATION)
                        .build())
                .build();
        database.execute("create table item_" + name + " (a varchar(40))").block(LONG);
        return new NetworkedEngine(engines, engines.engine(url), database, name);
    }

    SqlStatement insert() {
        return engine.sql("insert into item_" + name + " values (:a)").bind("a", Secrets.MARK + "item");
    }

    long inserted() {
        return Objects.requireNonNull(database.query("select count(*) from item_" + name, Long.class)
                        .block(LONG))
                .get(0);
    }

    SqlStatement rows() {
        return engine.sql("select text from line order by text");
    }

    UnitOfWork unit(Duration limit) {
        return engine.unitOfWork().timeout(limit).graceTime(limit).cleanupTimeout(limit);
    }

    MigrationRunner runner() {
        return MigrationRunner.on(engine)
                .table("history_" + name)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .locations()
                .sources(new MemorySource(Map.of("V1__one.sql", "create table m_" + name + " (a int);")));
    }

    /** Holds the lock by another session, past the network, until the connection is closed. */
    Connection withLockHeld() {
        Dialect dialect = Objects.requireNonNull(engine.dialect().block(LONG));
        String schema = dialect.equals(Dialect.POSTGRESQL) ? "public" : database.name();
        String lock = new HistoryTable(dialect, schema, "history_" + name).text(MigrationSql.TRY_LOCK);
        return Objects.requireNonNull(Mono.fromDirect(
                        ConnectionFactories.get(database.url()).create())
                .<Connection>flatMap(
                        connection -> Flux.from(connection.createStatement(lock).execute())
                                .concatMap(result -> result.map(row -> 1))
                                .then(Mono.just(connection)))
                .block(LONG));
    }

    Connection withOneBorrowed() {
        return Objects.requireNonNull(
                engine.pool().flatMap(pool -> pool.create()).block(LONG));
    }

    Connections connections() {
        return engines.engines().isEmpty()
                ? new Connections(0, 0, 0, 0)
                : engines.engines().get(0).connections();
    }
}
