package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.reactivestreams.Publisher;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** One connection that everybody uses, and the three libraries on it. */
@State(Scope.Benchmark)
public class StatementState {

    @Param({"constant", "instant", "pool", "postgresql"})
    public String database;

    ConnectionFactory factory;
    DatabaseClient spring;
    DSLContext jooq;
    private ConnectionSource source;
    private Engine engine;
    private EmbeddedPostgres server;

    int rows() {
        return 1;
    }

    @Setup(Level.Trial)
    public void open() throws IOException {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        factory = switch (database) {
            case "postgresql" -> postgresql();
            case "pool" -> pool();
            case "h2" -> h2();
            default -> new InstantDriver(rows(), database.equals("constant"));
        };
        source = new Source(factory);
        spring = DatabaseClient.create(factory);
        jooq = DSL.using(factory, SQLDialect.POSTGRES);
    }

    /** One connection that comes at once, in the pool of an engine. */
    private ConnectionFactory pool() {
        ConnectionFactory driver = new InstantDriver(rows(), false);
        engine = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .build()
                .engine("r2dbc:postgresql://ada@host/shop");
        return engine.pool().block();
    }

    /** In memory, in the pool of an engine. */
    private ConnectionFactory h2() {
        engine = ReactiveEngineCache.create().engine("r2dbc:h2:mem:///shop");
        engine.sql("create table written(id int, name varchar(60), age int)")
                .update()
                .block();
        return engine.pool().block();
    }

    private ConnectionFactory postgresql() throws IOException {
        server = EmbeddedPostgres.builder().start();
        ConnectionFactory real = ConnectionFactories.get(
                "r2dbc:postgresql://postgres:postgres@localhost:" + server.getPort() + "/postgres");
        Connection connection = Mono.from(real.create()).block();
        ConnectionFactory one = new One(real.getMetadata(), kept(connection));
        Source setup = new Source(one);
        for (String sql : new String[] {
            "create table person(id int primary key, name text not null, age int not null)",
            "create unlogged table written(id int, name text, age int)",
            "insert into person select n, 'name ' || n, n % 100 from generate_series(1, 1000) n"
        }) {
            SqlStatement.of(setup, Dialect.POSTGRESQL, sql, SqlListener.NONE)
                    .update()
                    .block();
        }
        return one;
    }

    /* Closing it does nothing. */
    private static Connection kept(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                StatementState.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? Mono.empty() : method.invoke(connection, arguments));
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    SqlStatement sql(String sql) {
        return engine == null ? SqlStatement.of(source, Dialect.POSTGRESQL, sql, SqlListener.NONE) : engine.sql(sql);
    }

    UnitOfWork units() {
        return engine == null
                ? UnitOfWork.on(
                        source,
                        Mono.just(Dialect.POSTGRESQL),
                        () -> "PostgreSQL",
                        SqlListener.NONE,
                        WorkListener.DEFAULT)
                : engine.unitOfWork();
    }

    <T> Mono<T> handWritten(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(Mono.from(factory.create()), work, Connection::close);
    }

    <T> Flux<T> handWrittenRows(Function<Connection, Publisher<T>> work) {
        return Flux.usingWhen(Mono.from(factory.create()), work, Connection::close);
    }

    int[] ids() {
        return IntStream.range(0, 10_000).toArray();
    }

    private record One(ConnectionFactoryMetadata metadata, Connection connection) implements ConnectionFactory {
        @Override
        public Mono<Connection> create() {
            return Mono.just(connection);
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return metadata;
        }
    }

    private record Source(ConnectionFactory factory) implements ConnectionSource {
        @Override
        public Mono<Connection> borrow() {
            return Mono.fromDirect(factory.create());
        }

        @Override
        public Mono<Void> giveBack(Connection connection, Outcome outcome) {
            return Mono.fromDirect(connection.close());
        }

        @Override
        public Mono<Connection> openUnpooled() {
            return borrow();
        }

        @Override
        public Object identity(ContextView context) {
            return factory;
        }
    }
}
