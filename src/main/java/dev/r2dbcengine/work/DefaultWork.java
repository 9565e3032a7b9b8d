package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlStatement;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A handle on a scope, for the body that began it, or one that has joined. Also the source of its statements. */
final class DefaultWork implements Work, WorkSource {

    private final TransactionScope scope;
    private final boolean joined;

    DefaultWork(TransactionScope scope, boolean joined) {
        this.scope = scope;
        this.joined = joined;
    }

    @Override
    public Database database() {
        return scope.transaction().database();
    }

    @Override
    public TransactionScope scope(ContextView context) {
        return scope.within(context);
    }

    @Override
    public Object identity(ContextView context) {
        return scope.transaction().identity();
    }

    @Override
    public ConnectionSource source() {
        return this;
    }

    WorkSettings settings() {
        return scope.transaction().settings();
    }

    @Override
    public SqlStatement sql(String sql) {
        return database().sql(this, sql);
    }

    @Override
    public <R> R repository(Class<R> type, Function<? super Work, ? extends R> create) {
        Transaction transaction = scope.transaction();
        return transaction.repository(type, () -> create.apply(new DefaultWork(transaction, false)));
    }

    @Override
    public <T> Mono<T> savepoint(Function<? super Work, ? extends Mono<T>> body) {
        return UnitOfWork.on(this).execute(body);
    }

    @Override
    public Mono<Connection> connection() {
        return borrow();
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return new SourceConnectionFactory(this, settings());
    }

    @Override
    public void setRollbackOnly() {
        scope.checkOpen();
        scope.demandRollback(!joined, null);
    }

    @Override
    public void beforeCommit(Mono<Void> action) {
        check(scope.openHooks().beforeCommit(Objects.requireNonNull(action, "action")));
    }

    @Override
    public void afterCommit(Mono<Void> action) {
        check(scope.openHooks().afterCommit(Objects.requireNonNull(action, "action")));
    }

    @Override
    public void afterRollback(Mono<Void> action) {
        check(scope.openHooks().afterRollback(Objects.requireNonNull(action, "action")));
    }

    private void check(boolean added) {
        if (!added) {
            throw scope.ended();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DefaultWork that && that.scope == scope;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(scope);
    }

    @Override
    public String toString() {
        return scope.transaction().name();
    }
}
