package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A database with a pool of one connection in front of it, so that one that is not given back is missed at once. */
final class SqlTestBed implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(30);

    private final TestDatabase database;
    private final ConnectionFactory factory;
    private final PoolSource source;
    private final PoolSource others;
    private final Dialect dialect;
    private final RecordingListener listener = new RecordingListener();

    SqlTestBed(Server server, String driver) {
        this.database = TestDatabase.fresh(server).keepAlive();
        this.factory =
                ConnectionFactories.get(database.url().replaceFirst("r2dbc:[a-z0-9]+:", "r2dbc:" + driver + ":"));
        this.dialect = Dialect.of(factory.getMetadata());
        this.source = new PoolSource(factory, 1);
        this.others = new PoolSource(factory, 2);
    }

    Dialect dialect() {
        return dialect;
    }

    PoolSource source() {
        return source;
    }

    RecordingListener listener() {
        return listener;
    }

    SqlStatement sql(String sql) {
        return SqlStatement.of(source, dialect, sql, listener);
    }

    /** On another connection. */
    SqlStatement other(String sql) {
        return SqlStatement.of(others, dialect, sql, SqlListener.NONE);
    }

    void run(String... statements) {
        Flux.fromArray(statements).concatMap(sql -> sql(sql).update()).blockLast(LONG);
    }

    <T> Mono<T> inTransaction(Function<SqlStatementFactory, Mono<T>> work) {
        return Mono.usingWhen(
                Mono.fromDirect(factory.create()),
                connection -> Mono.from(connection.beginTransaction())
                        .then(Mono.defer(() -> work.apply(
                                sql -> SqlStatement.of(new OneConnection(connection), dialect, sql, SqlListener.NONE))))
                        .flatMap(value ->
                                Mono.from(connection.commitTransaction()).thenReturn(value)),
                connection -> connection.close());
    }

    /** Makes statements. */
    interface SqlStatementFactory {
        SqlStatement sql(String sql);
    }

    @Override
    public void close() {
        source.close();
        others.close();
        database.close();
    }
}
