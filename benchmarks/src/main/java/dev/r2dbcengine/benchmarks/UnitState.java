package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.work.Propagation;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.io.IOException;
import java.util.function.Function;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.reactivestreams.Publisher;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Units of work of each kind on the connections of {@link StatementState}, and one insert for each. */
@State(Scope.Benchmark)
public class UnitState {

    private static final String NAMED = "insert into written values (:id, :name, :age)";

    @Param({"instant", "pool", "h2"})
    public String database;

    UnitOfWork units;
    UnitOfWork nested;
    TransactionalOperator spring;
    TransactionalOperator springNested;
    DSLContext jooq;
    private final StatementState connections = new StatementState();

    @Setup(Level.Trial)
    public void open() throws IOException {
        connections.database = database;
        connections.open();
        units = connections.units();
        nested = units.propagation(Propagation.NESTED);
        R2dbcTransactionManager manager = new R2dbcTransactionManager(connections.factory);
        spring = TransactionalOperator.create(manager);
        springNested = TransactionalOperator.create(
                manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
        jooq = connections.jooq;
    }

    /** Or the table grows for as long as the benchmark runs. */
    @TearDown(Level.Iteration)
    public void empty() {
        connections.sql("truncate table written").update().block();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        connections.close();
    }

    Mono<Long> insert(Work work) {
        return work.sql(NAMED).bind("id", 7).bind("name", "Ada").bind("age", 36).update();
    }

    Mono<Long> insert(Connection connection) {
        return Flux.from(connection
                        .createStatement("insert into written values ($1, $2, $3)")
                        .bind(0, 7)
                        .bind(1, "Ada")
                        .bind(2, 36)
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .singleOrEmpty();
    }

    /** Without its {@code TransactionalOperator}. */
    Mono<Long> insertBySpring() {
        return connections
                .spring
                .sql(NAMED)
                .bind("id", 7)
                .bind("name", "Ada")
                .bind("age", 36)
                .fetch()
                .rowsUpdated();
    }

    Mono<Integer> insertByJooq(Configuration transaction) {
        return Mono.from(DSL.using(transaction).insertInto(DSL.table("written")).values(7, "Ada", 36));
    }

    /**
     * What one writes who knows that a failed commit, too, has to give the connection back. As all such code it sends
     * a cancel on into the statement, and the commit is not waited for after one.
     */
    <T> Mono<T> handWritten(Function<Connection, Mono<T>> body) {
        return Mono.usingWhen(
                Mono.from(connections.factory.create()),
                connection -> Mono.from(connection.beginTransaction()).then(body.apply(connection)),
                connection -> Flux.concatDelayError(connection.commitTransaction(), connection.close()),
                (connection, e) -> Flux.concatDelayError(connection.rollbackTransaction(), connection.close()),
                connection -> Flux.concatDelayError(connection.rollbackTransaction(), connection.close()));
    }

    <T> Mono<T> savepoint(Connection connection, String name, Mono<T> body) {
        return Mono.usingWhen(
                Mono.from(connection.createSavepoint(name)).thenReturn(connection),
                begun -> body,
                begun -> begun.releaseSavepoint(name),
                (begun, e) -> begun.rollbackTransactionToSavepoint(name),
                begun -> begun.rollbackTransactionToSavepoint(name));
    }

    static <T> Mono<Long> tenTimes(Publisher<T> insert) {
        return Flux.range(0, 10).concatMap(i -> insert).count();
    }
}
