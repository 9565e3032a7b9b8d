package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.SessionSetting;
import io.r2dbc.spi.Connection;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Statements without parameters on a connection at hand, for what the rooms above do to sessions; no listener is told. Cold,
 * and for whoever has the connection to himself.
 */
public final class SessionStatements {

    private SessionStatements() {}

    /**
     * Runs a statement for its effect.
     *
     * @param connection the connection
     * @param sql one statement, as the driver takes it
     * @param <T> whatever fits, as nothing is emitted
     * @return completes when it is over
     */
    public static <T> Mono<T> run(Connection connection, String sql) {
        return Flux.defer(() -> connection.createStatement(sql).execute())
                .concatMap(result -> result.getRowsUpdated())
                .then(Mono.empty());
    }

    /**
     * Reads what a setting is now.
     *
     * @param connection the connection
     * @param setting one that outlives a transaction
     * @return the statement that puts it back
     */
    public static Mono<String> restoring(Connection connection, SessionSetting setting) {
        return Flux.defer(() -> connection.createStatement(setting.current()).execute())
                .concatMap(result -> result.map((row, metadata) -> String.valueOf(row.get(0))))
                .single()
                .map(setting::restore);
    }
}
