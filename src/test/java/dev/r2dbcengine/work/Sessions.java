package dev.r2dbcengine.work;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.testing.Server;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Queries of the session state that a unit must restore. */
final class Sessions {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Sessions() {}

    /** Returns a query for all settings that a unit may change, as one text. */
    static String settings(Server server) {
        return switch (server) {
            case H2 ->
                "select isolation_level || ' ' || lock_mode() || ' ' || lock_timeout() || ' ' || (select setting_value from"
                        + " information_schema.settings where setting_name = 'QUERY_TIMEOUT')"
                        + " from information_schema.sessions where session_id = session_id()";
            case POSTGRESQL ->
                "select concat_ws(' ', current_setting('transaction_isolation'),"
                        + " current_setting('transaction_read_only'), current_setting('lock_timeout'), current_setting('statement_timeout'),"
                        + " current_setting('default_transaction_isolation'),"
                        + " current_setting('default_transaction_read_only'))";
            case MARIADB ->
                "select concat_ws(' ', @@tx_isolation, @@tx_read_only, @@innodb_lock_wait_timeout,"
                        + " @@max_statement_time, @@autocommit)";
            case MYSQL ->
                "select concat_ws(' ', @@transaction_isolation, @@transaction_read_only, @@innodb_lock_wait_timeout,"
                        + " @@max_execution_time, @@autocommit)";
        };
    }

    /** Returns these settings for each of a number of connections of the pool. */
    static List<String> settings(Server server, Engine engine, int connections) {
        ConnectionPool pool = Objects.requireNonNull(engine.pool().block(LONG));
        List<Connection> all = Flux.range(0, connections)
                .concatMap(i -> pool.create())
                .collectList()
                .block(LONG);
        return Objects.requireNonNull(Flux.fromIterable(Objects.requireNonNull(all))
                .concatMap(connection -> text(connection, settings(server))
                        .concatWith(Mono.from(connection.close()).cast(String.class)))
                .collectList()
                .block(LONG));
    }

    private static Flux<String> text(Connection connection, String query) {
        return Flux.from(connection.createStatement(query).execute())
                .concatMap(result -> result.map(row -> Objects.requireNonNull(row.get(0, String.class))));
    }

    /** Returns a query that counts the open transactions of other sessions. */
    static String openTransactions(Server server) {
        return switch (server) {
            case H2 -> "select count(*) from information_schema.sessions where contains_uncommitted";
            case POSTGRESQL ->
                "select count(*) from pg_stat_activity where datname = current_database() and state like"
                        + " 'idle in transaction%'";
            case MARIADB, MYSQL ->
                "select count(*) from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id()";
        };
    }
}
