package dev.r2dbcengine.migrate.internal.history;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.MigrationSql;
import io.r2dbc.spi.Row;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The state of a session.
 *
 * @param schema the current schema; null if there is none
 * @param user the user of the database
 * @param database the name of the database
 * @param majorVersion the first number of the server's version
 * @param restore the statements that reset a session to this state
 */
public record SessionState(
        @Nullable String schema, String user, String database, int majorVersion, List<String> restore) {

    public static Mono<SessionState> of(Engine engine, HistoryTable table) {
        return engine.sql(table.text(MigrationSql.SESSION))
                .map((row, columns) -> SessionState.of(row))
                .one();
    }

    public static SessionState of(Row row) {
        return new SessionState(
                row.get("engine_schema", String.class),
                Objects.requireNonNullElse(row.get("engine_user", String.class), ""),
                Objects.requireNonNullElse(row.get("engine_database", String.class), ""),
                major(Objects.requireNonNullElse(row.get("engine_version", String.class), "0")),
                Stream.of("engine_restore", "engine_settings")
                        .flatMap(column -> Stream.ofNullable(row.get(column, String.class)))
                        .toList());
    }

    /** Resets a session to this state. */
    public Mono<Void> restore(Engine engine) {
        return Flux.fromIterable(restore)
                .concatMap(statement -> engine.sql(statement).update())
                .then();
    }

    private static int major(String version) {
        String digits = version.split("\\D", 2)[0];
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
