package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SessionSetting;
import io.r2dbc.spi.Connection;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs internal session statements, without parameters, on a given connection. No listener is notified. The publishers
 * are cold; the caller must have exclusive use of the connection.
 */
public final class SessionStatements {

    private SessionStatements() {}

    /**
     * Runs a statement for its effect.
     *
     * @param connection the connection
     * @param sql one statement, in the driver's form
     * @param <T> any type, since nothing is emitted
     * @return a Mono that completes when the statement has completed
     */
    public static <T> Mono<T> run(Connection connection, String sql) {
        return Flux.defer(() -> connection.createStatement(sql).execute())
                .concatMap(result -> result.getRowsUpdated())
                .then(Mono.empty());
    }

    /**
     * Reads the session of a new connection.
     *
     * @param connection the connection
     * @param dialect the dialect of its database
     * @return the session; empty if the database needs none, or if it did not answer the query
     */
    public static Mono<ServerSession> session(Connection connection, Dialect dialect) {
        String query = dialect.session();
        return query.isEmpty()
                ? Mono.empty()
                : Flux.defer(() -> connection.createStatement(query).execute())
                        .concatMap(result -> result.map((row, metadata) ->
                                new ServerSession(String.valueOf(row.get(0)), String.valueOf(row.get(1)))))
                        .onErrorComplete()
                        .singleOrEmpty();
    }

    /**
     * Reads whether the server of a connection accepts writes.
     *
     * @param connection the connection
     * @param dialect the dialect of its database
     * @return true for a primary; empty if the database has no such query. Fails if the server does not answer it
     */
    public static Mono<Boolean> isPrimary(Connection connection, Dialect dialect) {
        String query = dialect.primary();
        return query.isEmpty()
                ? Mono.empty()
                : query(connection, query).map(answer -> answer.equals("true") || answer.equals("1"));
    }

    /**
     * Reads the current value of a setting.
     *
     * @param connection the connection
     * @param setting a setting that outlives a transaction
     * @return the statement that restores it
     */
    public static Mono<String> restoring(Connection connection, SessionSetting setting) {
        return query(connection, setting.current()).map(setting::restore);
    }

    /* Returns the one value of a query, as text. */
    static Mono<String> query(Connection connection, String sql) {
        return Flux.defer(() -> connection.createStatement(sql).execute())
                .concatMap(result -> result.map((row, metadata) -> String.valueOf(row.get(0))))
                .single();
    }
}
