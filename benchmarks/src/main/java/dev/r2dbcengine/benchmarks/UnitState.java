package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.work.Propagation;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jooq.Configuration;
import org.jooq.impl.DSL;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.reactivestreams.Publisher;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Units of work of each kind on the connections of {@link StatementState}, and the statements in them. */
@State(Scope.Benchmark)
public class UnitState extends StatementState {
    static final String KEY = "key";

    private static final Person PERSON = new Person(7, "Ada", 36);

    UnitOfWork units;
    UnitOfWork nested;
    TransactionalOperator spring;
    TransactionalOperator springNested;

    /**
     * The Context of a unit that stays open, which also contains {@link #KEY}, and a connection that stays acquired.
     */
    Context open;

    Connection connection;

    @Override
    public void open() throws Exception {
        super.open();
        units = engine.unitOfWork();
        nested = units.propagation(Propagation.NESTED);
        R2dbcTransactionManager manager = new R2dbcTransactionManager(factory);
        spring = TransactionalOperator.create(manager);
        springNested = TransactionalOperator.create(
                manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
        connection = Mono.from(factory.create()).block();
        open = openUnit();
    }

    private Context openUnit() throws Exception {
        CompletableFuture<Context> opened = new CompletableFuture<>();
        units.execute(work -> selectOne().map(Person.class).one().then(Mono.deferContextual(context -> {
                    opened.complete(Context.of(context).put(KEY, "value"));
                    return Mono.<Person>never();
                })))
                .subscribe(person -> {}, opened::completeExceptionally);
        return opened.get();
    }

    SqlStatement selectOne() {
        return engine.sql(StatementBenchmark.SELECT_ONE).bind("id", 7);
    }

    Mono<Person> selectOne(Connection connection) {
        return Flux.from(connection.createStatement(oneByHand).bind(0, 7).execute())
                .concatMap(result -> result.map(Person::of))
                .singleOrEmpty();
    }

    Mono<Long> insert(Work work) {
        return work.sql(INSERT)
                .bind("id", 7)
                .bind("name", "Ada")
                .bind("age", 36)
                .update();
    }

    Mono<Long> insert(Connection connection) {
        return Flux.from(PERSON.bind(connection.createStatement(insertByHand)).execute())
                .concatMap(Result::getRowsUpdated)
                .singleOrEmpty();
    }

    /** Spring without its {@code TransactionalOperator}. */
    Mono<Long> insertBySpring() {
        return client.sql(INSERT)
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
     * The code of a developer who knows that a failed commit must release the connection as well. Like all such code it
     * forwards a cancellation to the statement, and does not await the commit afterwards.
     */
    <T> Mono<T> unitByHand(Function<Connection, Mono<T>> body) {
        return Mono.usingWhen(
                Mono.from(factory.create()),
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

    /** Runs the statements one after another. */
    static <T> Mono<Long> times(int times, Publisher<T> insert) {
        return Flux.range(0, times).concatMap(i -> insert).count();
    }
}
