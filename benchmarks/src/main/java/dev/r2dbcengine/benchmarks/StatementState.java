package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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

/**
 * A database, and the libraries on the connections of one pool. {@code instant} is a driver that answers at once,
 * without a pool; {@code pool} is the same driver in the pool of an engine; the others are real databases in such a
 * pool, and {@code far} ones are at the end of a {@link SlowNetwork}. Vert.x has its own pool. Everything ends with the
 * process.
 */
@State(Scope.Benchmark)
public class StatementState {
    static final List<Person> PEOPLE = IntStream.rangeClosed(1, 10_000)
            .mapToObj(i -> new Person(i, "name " + i, i % 100))
            .toList();
    private static final Duration ROUND_TRIP = Duration.ofNanos(500_000);

    static final String INSERT = "insert into written(id, name, age) values (:id, :name, :age)";

    /** The database; see the class. */
    @Param({"instant", "pool", "h2", "postgresql", "mariadb", "far postgresql", "far mariadb"})
    public String database;

    Engine engine;
    ConnectionFactory factory;
    DatabaseClient client;
    DSLContext jooq;
    Pool vertx;

    String oneByHand = "select id, name, age from person where id = $1";
    String manyByHand = "select id, name, age from person where id >= $1";
    String insertByHand = "insert into written(id, name, age) values ($1, $2, $3)";

    /** Opens the connections. */
    @Setup(Level.Trial)
    public void open() throws Exception {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        switch (database) {
            case "instant" -> {
                factory = new InstantDriver();
                engine = Engine.on(new Source(factory), Dialect.POSTGRESQL);
            }
            case "pool" -> pool();
            case "h2" -> real("r2dbc:h2:mem:///shop", "");
            case "mariadb", "far mariadb" -> mariaDb();
            case "postgresql", "far postgresql" -> postgreSql();
            default -> throw new IllegalArgumentException(database);
        }
        client = DatabaseClient.create(factory);
        jooq = DSL.using(
                factory,
                switch (database) {
                    case "h2" -> SQLDialect.H2;
                    case "mariadb", "far mariadb" -> SQLDialect.MARIADB;
                    default -> SQLDialect.POSTGRES;
                });
    }

    private void pool() {
        ConnectionFactory driver = new InstantDriver();
        open(
                ReactiveEngineCache.builder()
                        .connectionFactory(options -> driver)
                        .build(),
                "r2dbc:postgresql://a@host/shop");
    }

    private void mariaDb() throws Exception {
        oneByHand = oneByHand.replaceAll("\\$\\d", "?");
        manyByHand = manyByHand.replaceAll("\\$\\d", "?");
        insertByHand = insertByHand.replaceAll("\\$\\d", "?");
        real(at(MariaDb.start()), "");
    }

    private String at(String url) throws IOException {
        return database.startsWith("far") ? SlowNetwork.before(url, ROUND_TRIP) : url;
    }

    /** Creates unlogged tables; otherwise the benchmark measures the disk. */
    private void postgreSql() throws Exception {
        String url = at(MigrationServer.PostgreSql.start().create().r2dbcUrl());
        real(url, "unlogged");
        vertx = PgBuilder.pool()
                .with(new PoolOptions())
                .connectingTo(PgConnectOptions.fromUri(url.substring("r2dbc:".length()))
                        .setCachePreparedStatements(true))
                .build();
    }

    private void real(String url, String kind) {
        open(ReactiveEngineCache.create(), url);
        engine.sql("create table person(id int primary key, name varchar(60) not null, age int not null)")
                .update()
                .then(engine.sql("create " + kind + " table written(id int, name varchar(60), age int)")
                        .update())
                .then(engine.sql("insert into person(id, name, age) values (:id, :name, :age)")
                        .batch(PEOPLE.subList(0, 1000), Person::bind))
                .block();
    }

    private void open(ReactiveEngineCache engines, String url) {
        engine = engines.engine(url);
        factory = engine.pool().block();
    }

    /** Deletes the rows, so that the table does not grow during the benchmark. */
    @TearDown(Level.Iteration)
    public void empty() {
        engine.sql("truncate table written").update().block();
    }

    <T> Mono<T> byHand(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(Mono.from(factory.create()), work, Connection::close);
    }

    <T> Flux<T> rowsByHand(Function<Connection, Publisher<T>> work) {
        return Flux.usingWhen(Mono.from(factory.create()), work, Connection::close);
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
