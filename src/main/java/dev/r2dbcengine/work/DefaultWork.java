package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.SqlStatement;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A handle on a level, for the body that began it, or one that has joined. */
final class DefaultWork implements Work {

    private final TransactionScope level;
    private final boolean joined;

    DefaultWork(TransactionScope level, boolean joined) {
        this.level = level;
        this.joined = joined;
    }

    /* What a body gives for its work: something, or an error that says so. */
    static <T> Publisher<? extends T> run(Function<? super Work, ? extends Publisher<? extends T>> body, Work work) {
        return Objects.requireNonNull(body.apply(work), "the body of a unit returned null");
    }

    @Override
    public TransactionScope source() {
        return level;
    }

    @Override
    public SqlStatement sql(String sql) {
        return level.database().sql(level, sql);
    }

    @Override
    public <R> R repository(Class<R> type, Function<? super Work, ? extends R> create) {
        return level.transaction().repository(type, create);
    }

    @Override
    public <T> Mono<T> savepoint(Function<? super Work, ? extends Mono<T>> body) {
        return UnitOfWork.on(this).execute(body);
    }

    @Override
    public Mono<Connection> connection() {
        return level.borrow();
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return new SourceConnectionFactory(level, level.transaction().settings());
    }

    @Override
    public void setRollbackOnly() {
        level.checkOpen();
        level.demandRollback(!joined, null);
    }

    @Override
    public void beforeCommit(Mono<Void> action) {
        check(level.openHooks().beforeCommit(Objects.requireNonNull(action, "action")));
    }

    @Override
    public void afterCommit(Mono<Void> action) {
        check(level.openHooks().afterCommit(Objects.requireNonNull(action, "action")));
    }

    @Override
    public void afterRollback(Mono<Void> action) {
        check(level.openHooks().afterRollback(Objects.requireNonNull(action, "action")));
    }

    private void check(boolean added) {
        if (!added) {
            throw level.ended();
        }
    }

    @Override
    public String toString() {
        return level.transaction().name();
    }
}
