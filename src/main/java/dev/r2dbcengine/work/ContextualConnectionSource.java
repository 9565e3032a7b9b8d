package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.SqlRunner;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.sql.StatementEnd;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The database of units of work, and the source that lends the connection of the unit in the Context, if there is one. */
final class ContextualConnectionSource implements Database, WorkSource {

    private final ConnectionSource source;
    private final Mono<Dialect> dialect;
    private final Supplier<String> name;
    private final WorkListener listener;
    private final BoundConnections bound;
    private final ConnectionFactory factory = new SourceConnectionFactory(this, new WorkSettings());

    /* Set once the dialect is certain: some drivers reveal it only with their first connection. */
    private volatile @Nullable Dialect known;

    private volatile SqlRunner statements;

    ContextualConnectionSource(
            ConnectionSource source,
            Mono<Dialect> dialect,
            Supplier<String> name,
            SqlListener statements,
            WorkListener listener,
            BoundConnections bound) {
        this.source = source;
        this.dialect = dialect.doOnNext(found -> {
            if (found != Dialect.ANSI && found != known) {
                this.statements = SqlRunner.of(found, statements);
                known = found;
            }
        });
        this.name = name;
        this.statements = SqlRunner.of(this.dialect, statements);
        this.listener = listener;
        this.bound = bound;
    }

    private ContextualConnectionSource(ContextualConnectionSource same, ConnectionSource source) {
        this.source = source;
        this.dialect = same.dialect;
        this.name = same.name;
        this.listener = same.listener;
        this.bound = same.bound;
        this.known = same.known;
        this.statements = same.statements;
    }

    @Override
    public Database on(ConnectionSource other) {
        return new ContextualConnectionSource(this, other);
    }

    @Override
    public Database database() {
        return this;
    }

    @Override
    public @Nullable TransactionScope scope(ContextView context) {
        TransactionScope open =
                TransactionScope.isNone(context) ? null : TransactionScope.find(context, identity(context));
        return open == null ? bound(context) : open;
    }

    /* The transaction that a framework has bound to the Context, if it is on this database. */
    private @Nullable TransactionScope bound(ContextView context) {
        Connection found = bound.find(factory, context);
        TransactionScope scope = found instanceof StandaloneConnection standalone ? standalone.scope() : null;
        return scope != null && scope.transaction().identity().equals(identity(context)) ? scope : null;
    }

    @Override
    public Context withoutBound(Context context) {
        return bound(context) == null ? context : bound.hide(context);
    }

    @Override
    public Object identity(ContextView context) {
        return source.identity(context);
    }

    @Override
    public ConnectionSource source() {
        return source;
    }

    @Override
    public Mono<Dialect> dialect() {
        return dialect;
    }

    @Override
    public @Nullable Dialect known() {
        return known;
    }

    @Override
    public Supplier<String> name() {
        return name;
    }

    @Override
    public WorkListener listener() {
        return listener;
    }

    @Override
    public SqlStatement sql(ConnectionSource by, String text) {
        return statements.statement(by, text);
    }

    @Override
    public Mono<Void> endStatement(Connection connection) {
        return dialect.flatMap(known -> StatementEnd.request(connection, known, source));
    }
}
