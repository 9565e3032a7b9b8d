package dev.r2dbcengine.sql;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.EngineStatus;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A database with an engine of one connection, so that one that is not given back is missed at once. */
final class SqlTestBed implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(30);

    private final SqlDatabase kind;
    private final TestDatabase database;
    private final RecordingListener listener = new RecordingListener();
    private final ReactiveEngineCache cache;
    private final Engine engine;
    private final Dialect dialect;

    SqlTestBed(SqlDatabase kind) {
        this.kind = kind;
        this.database = TestDatabase.fresh(kind.server()).keepAlive();
        this.cache = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().maxSize(1).build())
                .listener(listener)
                .build();
        this.engine = cache.engine(database.url().replaceFirst("r2dbc:\\w+:", "r2dbc:" + kind.driver() + ":"));
        this.dialect = Objects.requireNonNull(engine.dialect().block(LONG));
    }

    Dialect dialect() {
        return dialect;
    }

    RecordingListener listener() {
        return listener;
    }

    EngineStatus.Connections connections() {
        return cache.engines().get(0).connections();
    }

    SqlStatement sql(String sql) {
        return engine.sql(sql);
    }

    void run(String... statements) {
        Flux.fromArray(statements).concatMap(sql -> sql(sql).update()).blockLast(LONG);
    }

    /** The session of the one connection: another one after it was discarded. */
    Long session() {
        return Objects.requireNonNull(sql(kind.session()).map(Long.class).one().block(LONG));
    }

    /** Closes the one connection: the next statement opens another one. */
    void reconnect() {
        engine.close().block(LONG);
    }

    /** Another connection; the caller closes it. */
    Connection connect() {
        return Objects.requireNonNull(engine.openConnection().block(LONG));
    }

    <T> Mono<T> inTransaction(Function<Function<String, SqlStatement>, Mono<T>> work) {
        return Mono.usingWhen(
                engine.openConnection(),
                connection -> Mono.from(connection.beginTransaction())
                        .then(Mono.defer(() -> work.apply(sql -> on(connection, sql))))
                        .flatMap(value ->
                                Mono.from(connection.commitTransaction()).thenReturn(value)),
                Connection::close);
    }

    SqlStatement on(Connection connection, String sql) {
        return Engine.on(new HeldConnectionSource(connection), dialect).sql(sql);
    }

    @Override
    public void close() {
        cache.close().block(LONG);
        database.close();
    }
}
