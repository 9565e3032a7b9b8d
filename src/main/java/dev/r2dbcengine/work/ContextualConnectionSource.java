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

/** What units of work run on. As a source, it has the connections of the unit that the Context is within. */
final class ContextualConnectionSource implements WorkSource {

    private final ConnectionSource source;
    private final Mono<Dialect> dialect;
    private final Supplier<String> name;
    private final WorkListener units;
    private final BoundConnections bound;
    private final ConnectionFactory factory = new SourceConnectionFactory(this, new WorkSettings());

    /* So that statements ask but once. A driver that does not say what it is may say so with its first connection. */
    private volatile @Nullable Dialect known;

    private volatile SqlRunner statements;

    ContextualConnectionSource(
            ConnectionSource source,
            Mono<Dialect> dialect,
            Supplier<String> name,
            SqlListener statements,
            WorkListener units,
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
        this.units = units;
        this.bound = bound;
    }

    /* The same, on connections from elsewhere. */
    private ContextualConnectionSource(ContextualConnectionSource same, ConnectionSource source) {
        this.source = source;
        this.dialect = same.dialect;
        this.name = same.name;
        this.units = same.units;
        this.bound = same.bound;
        this.known = same.known;
        this.statements = same.statements;
    }

    ContextualConnectionSource on(ConnectionSource other) {
        return new ContextualConnectionSource(this, other);
    }

    @Override
    public ContextualConnectionSource database() {
        return this;
    }

    @Override
    public @Nullable TransactionScope level(ContextView context) {
        TransactionScope within = ContextScopes.isNone(context) ? null : ContextScopes.find(context, identity(context));
        return within == null ? held(context) : within;
    }

    /* What a framework holds in that Context, of the same database. */
    @Nullable TransactionScope held(ContextView context) {
        Connection found = bound.find(factory, context);
        TransactionScope level = found instanceof StandaloneConnection borrowed ? borrowed.level() : null;
        return level != null && level.transaction().identity().equals(identity(context)) ? level : null;
    }

    Context hide(Context context) {
        return bound.hide(context);
    }

    @Override
    public Object identity(ContextView context) {
        return source.identity(context);
    }

    /* The connections that no unit has. */
    ConnectionSource source() {
        return source;
    }

    Mono<Dialect> dialect() {
        return dialect;
    }

    /* Null while it is not known for good. */
    @Nullable Dialect known() {
        return known;
    }

    Supplier<String> name() {
        return name;
    }

    WorkListener units() {
        return units;
    }

    SqlStatement sql(ConnectionSource by, String text) {
        return statements.statement(by, text);
    }

    /* Asks the database to end what runs on a connection. */
    Mono<Void> endStatement(Connection connection) {
        return dialect.flatMap(known -> StatementEnd.request(connection, known, source));
    }
}
