package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.MigrationSql;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at the history, in one query where there is one, and at the files.
 *
 * @param mayBePending whether pending migrations are no problem
 */
record Looker(MigrationSettings settings, Dialect dialect, boolean mayBePending) {

    /** How long the database may take for what it is asked beside a run, or before one. */
    static final Duration ANSWER = Duration.ofSeconds(10);

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private record Line(
            Session session,
            @Nullable AppliedMigration row,
            @Nullable String home) {
        static Line of(Row row) {
            return new Line(Session.of(row), HistoryRows.read(row), row.get("engine_home", String.class));
        }
    }

    /** The history alone. */
    record Rows(Session session, HistoryTable table, boolean exists, List<AppliedMigration> rows) {}

    /** The first look, at a database that may have to be waited for. */
    static Mono<Look> first(
            Engine engine, MigrationSettings settings, boolean mayBePending, UnaryOperator<Mono<Look>> attempt) {
        Mono<Look> look = dialect(engine).flatMap(dialect -> new Looker(settings, dialect, mayBePending).look(engine));
        return new ConnectWait(settings).around(attempt.apply(look));
    }

    static Mono<Dialect> dialect(Engine engine) {
        return engine.dialect()
                .filter(dialect -> !dialect.migrations(MigrationSql.SESSION).isEmpty())
                .switchIfEmpty(Mono.error(() -> new InvalidMigrationException(
                        "Databases of this kind cannot be migrated: its dialect has no texts for it")));
    }

    /** While the database is waited for, a connection that has gone dumb is one that has not come about. */
    Mono<Look> look(Engine engine) {
        Duration limit = settings.connectTimeout.isZero() ? Duration.ZERO : ANSWER;
        return look(engine, rows(engine, limit), this::found);
    }

    /** With what the history has now. The files are not read again, unless their placeholders stand for something else. */
    Mono<Look> again(Engine engine, Look first) {
        return look(
                engine,
                rows(engine),
                rows -> isSame(first, rows) ? seen(rows, first.scripts(), first.found()) : found(rows));
    }

    private Mono<Look> look(Engine engine, Mono<Rows> history, Reading reading) {
        return history.flatMap(rows -> beginsAtBaseline(engine, rows)
                .flatMap(baseline -> blocking(() -> reading.of(rows).with(settings.planOf(mayBePending, baseline)))));
    }

    private static boolean isSame(Look first, Rows rows) {
        return first.table().equals(rows.table())
                && first.session().user().equals(rows.session().user())
                && first.session().database().equals(rows.session().database());
    }

    /** For those who plan nothing, and whom a plan that cannot be made is not to stop. */
    Mono<Look> unplanned(Engine engine) {
        return rows(engine).flatMap(rows -> blocking(() -> found(rows)));
    }

    Mono<Rows> rows(Engine engine) {
        return rows(engine, Duration.ZERO);
    }

    private Mono<Rows> rows(Engine engine, Duration limit) {
        HistoryTable table = new HistoryTable(dialect, settings.schema(), settings.table);
        Mono<Rows> select = lines(engine, table, limit).map(this::rows);
        return select.onErrorResume(R2dbcException.class, e -> withoutTable(engine, table, select));
    }

    private static Mono<List<Line>> lines(Engine engine, HistoryTable table, Duration limit) {
        return engine.sql(table.selectAll())
                .timeout(limit)
                .map((row, columns) -> Line.of(row))
                .all()
                .collectList();
    }

    /** The rows of a history that is there. */
    static Mono<List<AppliedMigration>> history(Engine engine, HistoryTable table) {
        return lines(engine, table, ANSWER).map(Looker::rowsOf);
    }

    private static List<AppliedMigration> rowsOf(List<Line> lines) {
        return lines.stream().map(Line::row).filter(Objects::nonNull).toList();
    }

    private Rows rows(List<Line> lines) {
        Session session = lines.get(0).session();
        HistoryTable table = table(session);
        List<AppliedMigration> rows = rowsOf(lines);
        boolean elsewhere = settings.schema() == null
                && !rows.isEmpty()
                && !table.knownSchema().equals(lines.get(0).home());
        return new Rows(session, table, !elsewhere, elsewhere ? List.of() : rows);
    }

    /** The query failed. Where there is a table nevertheless, it has come meanwhile, or the failure has to be told. */
    private Mono<Rows> withoutTable(Engine engine, HistoryTable unknown, Mono<Rows> again) {
        return Session.of(engine, unknown)
                .flatMap(session -> count(engine, MigrationSql.COUNT_TABLES, table(session))
                        .flatMap(tables ->
                                tables > 0 ? again : Mono.just(new Rows(session, table(session), false, List.of()))));
    }

    private HistoryTable table(Session session) {
        String schema = settings.schema() == null ? session.schema() : settings.schema();
        if (schema == null) {
            throw new InvalidMigrationException(
                    "The connection has no current schema: name one by defaultSchema(…), or in the URL");
        }
        return new HistoryTable(dialect, schema, settings.table);
    }

    static Mono<Long> count(Engine engine, MigrationSql what, HistoryTable table) {
        return engine.sql(table.text(what))
                .bindAll(Map.of("schema", table.knownSchema(), "table", table.name()))
                .map(Long.class)
                .one();
    }

    /** The objects in all schemas, the history table left out. */
    static Mono<Long> countObjects(Engine engine, MigrationSettings settings, HistoryTable table) {
        return Flux.fromIterable(settings.allSchemas(table.knownSchema()))
                .concatMap(schema -> count(
                        engine, MigrationSql.COUNT_OBJECTS, new HistoryTable(table.dialect(), schema, table.name())))
                .reduce(0L, Long::sum);
    }

    private Mono<Boolean> beginsAtBaseline(Engine engine, Rows rows) {
        boolean begun = rows.rows().stream().anyMatch(AppliedMigration::isMigration);
        return settings.baselineOnMigrate && !begun
                ? countObjects(engine, settings, rows.table()).map(objects -> objects > 0)
                : Mono.just(false);
    }

    private interface Reading {
        Look of(Rows rows) throws IOException;
    }

    private static Mono<Look> blocking(Callable<Look> reading) {
        return Mono.fromCallable(reading)
                .onErrorMap(IOException.class, e -> new UncheckedIOException("The migrations cannot be read", e))
                .subscribeOn(Schedulers.boundedElastic());
    }

    private Look found(Rows rows) throws IOException {
        Scripts scripts = settings.scripts.with(given(rows));
        return seen(rows, scripts, MigrationFinder.find(settings.allSources(), settings.naming, scripts));
    }

    private static Look seen(Rows rows, Scripts scripts, FoundMigrations found) {
        return new Look(rows.session(), rows.table(), rows.exists(), rows.rows(), scripts, found, MigrationPlan.NONE);
    }

    private Map<String, String> given(Rows rows) {
        return Map.of(
                "flyway:defaultSchema", rows.table().knownSchema(),
                "flyway:user", rows.session().user(),
                "flyway:database", rows.session().database(),
                "flyway:timestamp", TIMESTAMP.format(LocalDateTime.now(ZoneId.systemDefault())),
                "flyway:table", rows.table().name());
    }
}
