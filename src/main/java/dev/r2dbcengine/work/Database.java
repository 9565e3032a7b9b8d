package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlStatement;
import io.r2dbc.spi.Connection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The database that units run on. Threads may share it. */
interface Database {

    /* The connections outside of any unit. */
    ConnectionSource source();

    /* The same database with connections from elsewhere. */
    Database on(ConnectionSource other);

    Mono<Dialect> dialect();

    /* Null until the dialect is known. */
    @Nullable Dialect known();

    /* The name of the product. */
    Supplier<String> name();

    WorkListener listener();

    SqlStatement sql(ConnectionSource by, String text);

    /* Asks the database to end the statement that runs on a connection. */
    Mono<Void> endStatement(Connection connection);

    /* A Context without the transaction that a framework has bound to this database. */
    Context withoutBound(Context context);
}
