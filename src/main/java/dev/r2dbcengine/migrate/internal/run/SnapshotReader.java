package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.ValidationReport;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.history.HistoryRows;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.sql.UserCode;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Reads the history, in one query if it exists, and the files.
 *
 * @param mayBePending whether pending migrations are accepted
 */
public record SnapshotReader(MigrationSettings settings, boolean mayBePending) {

    private static final MigrationPlan NO_PLAN = new MigrationPlan(List.of(), new ValidationReport(List.of()), null);

    /** The timeout of queries before a run or beside it. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** Collects the rows of the history, each with the session and the schema of the table. */
    private static final class Lines {
        private final List<AppliedMigration> rows = new ArrayList<>();
        private @Nullable SessionState session;
        private @Nullable String home;

        /* All rows contain the same session. */
        Lines add(Row row) {
            if (session == null) {
                session = SessionState.of(row);
                home = row.get("engine_home", String.class);
            }
            AppliedMigration migration = HistoryRows.read(row);
            if (migration != null) {
                rows.add(migration);
            }
            return this;
        }

        SessionState session() {
            return Objects.requireNonNull(session, "The look at the history has no row");
        }
    }

    /** The history without the files. */
    record Rows(SessionState session, HistoryTable table, boolean exists, List<AppliedMigration> rows) {}

    /** Reads the first snapshot, and waits for the database up to {@code connectTimeout}. */
    public static Mono<MigrationSnapshot> first(
            Engine engine,
            MigrationSettings settings,
            boolean mayBePending,
            UnaryOperator<Mono<MigrationSnapshot>> attempt) {
        SnapshotReader looker = new SnapshotReader(settings, mayBePending);
        Mono<MigrationSnapshot> look = looker.unplanned(engine)
                .doOnNext(seen -> seen.found().warnings().forEach(looker::warn))
                .flatMap(seen -> looker.planned(engine, seen));
        return new ConnectRetry(settings).around(attempt.apply(look));
    }

    private void warn(String warning) {
        settings.tell(listener -> listener.warned(warning));
    }

    static Mono<Dialect> dialect(Engine engine) {
        return engine.dialect().doOnNext(dialect -> {
            if (dialect.migrations(MigrationSql.SESSION).isEmpty()) {
                throw new InvalidMigrationException("The dialect " + dialect
                        + " cannot be migrated: it has no texts for the history and the lock. Use H2, PostgreSQL or"
                        + " MariaDB, or give a Dialect with migrations(…)");
            }
        });
    }

    /**
     * Reads a snapshot without a plan, for operations that work without one. The files are read while the database
     * answers; an error of the database takes precedence over one of the files.
     */
    Mono<MigrationSnapshot> unplanned(Engine engine) {
        return Mono.zipDelayError(rows(engine, firstAnswer()), found().materialize())
                .flatMap(both -> Mono.just(both.getT2())
                        .<FoundMigrations>dematerialize()
                        .map(found -> seen(both.getT1(), found)));
    }

    /**
     * Returns the timeout of the first answer. While the run waits for the database, silence counts as a failed
     * connection.
     */
    private Duration firstAnswer() {
        return settings.connectTimeout.isZero() ? Duration.ZERO : ANSWER_TIMEOUT;
    }

    /** Reads the history again, but not the files. */
    Mono<MigrationSnapshot> again(Engine engine, MigrationSnapshot first) {
        return rows(engine)
                .map(rows -> isSame(first, rows)
                        ? seen(rows, first.placeholders(), first.found())
                        : seen(rows, first.found()))
                .flatMap(seen -> planned(engine, seen));
    }

    private Mono<MigrationSnapshot> planned(Engine engine, MigrationSnapshot seen) {
        return beginsAtBaseline(engine, seen)
                .flatMap(baseline -> blocking(() -> seen.with(settings.planOf(mayBePending, baseline))));
    }

    private static boolean isSame(MigrationSnapshot first, Rows rows) {
        return first.table().equals(rows.table())
                && first.session().user().equals(rows.session().user())
                && first.session().database().equals(rows.session().database());
    }

    Mono<Rows> rows(Engine engine) {
        return rows(engine, Duration.ZERO);
    }

    private Mono<Rows> rows(Engine engine, Duration limit) {
        return dialect(engine).flatMap(dialect -> {
            HistoryTable table = new HistoryTable(dialect, settings.schema(), settings.table);
            Mono<Rows> select = lines(engine, table, limit).map(lines -> rows(table, lines));
            return select.onErrorResume(R2dbcException.class, e -> withoutTable(engine, table, select));
        });
    }

    private static Mono<Lines> lines(Engine engine, HistoryTable table, Duration limit) {
        return Mono.fromSupplier(Lines::new)
                .flatMap(lines -> engine.sql(table.selectAll())
                        .timeout(limit)
                        .map((row, columns) -> lines.add(row))
                        .all()
                        .then(Mono.just(lines)));
    }

    /** Reads the rows of an existing history. */
    static Mono<List<AppliedMigration>> history(Engine engine, HistoryTable table) {
        return lines(engine, table, ANSWER_TIMEOUT).map(lines -> lines.rows);
    }

    private Rows rows(HistoryTable unknown, Lines lines) {
        HistoryTable table = known(unknown, lines.session());
        boolean elsewhere = settings.schema() == null
                && !lines.rows.isEmpty()
                && !table.knownSchema().equals(lines.home);
        return new Rows(lines.session(), table, !elsewhere, elsewhere ? List.of() : lines.rows);
    }

    /** Handles a failed query: if the table exists, it was created in the meantime or the failure is reported. */
    private Mono<Rows> withoutTable(Engine engine, HistoryTable unknown, Mono<Rows> again) {
        return SessionState.of(engine, unknown).flatMap(session -> {
            HistoryTable table = known(unknown, session);
            return count(engine, MigrationSql.COUNT_TABLES, table)
                    .flatMap(tables -> tables > 0 ? again : Mono.just(new Rows(session, table, false, List.of())));
        });
    }

    private HistoryTable known(HistoryTable table, SessionState session) {
        String schema = settings.schema() == null ? session.schema() : settings.schema();
        if (schema == null) {
            throw new InvalidMigrationException(
                    "The connection has no current schema: name one by defaultSchema(…), or in the URL");
        }
        return new HistoryTable(table.dialect(), schema, table.name());
    }

    static Mono<Long> count(Engine engine, MigrationSql what, HistoryTable table) {
        return engine.sql(table.text(what))
                .bindAll(Map.of("schema", table.knownSchema(), "table", table.name()))
                .map(Long.class)
                .one();
    }

    /** Counts the objects in all schemas, without the history table. */
    static Mono<Long> countObjects(Engine engine, MigrationSettings settings, HistoryTable table) {
        return Flux.fromIterable(settings.allSchemas(table.knownSchema()))
                .concatMap(schema -> count(
                        engine, MigrationSql.COUNT_OBJECTS, new HistoryTable(table.dialect(), schema, table.name())))
                .reduce(0L, Long::sum);
    }

    /**
     * Returns whether the run starts with a baseline. Objects beside an empty history are left by a migration and are
     * not one.
     */
    private Mono<Boolean> beginsAtBaseline(Engine engine, MigrationSnapshot seen) {
        return settings.takesBaseline() && !seen.exists()
                ? countObjects(engine, settings, seen.table()).map(objects -> objects > 0)
                : Mono.just(false);
    }

    private Mono<FoundMigrations> found() {
        return blocking(() -> {
            FoundMigrations found = MigrationFinder.find(settings.allSources(), settings.naming, settings.placeholders);
            found.migrations().forEach(FoundMigration::readAhead);
            return found;
        });
    }

    private static <T> Mono<T> blocking(Callable<T> reading) {
        return Mono.fromCallable(emitting(reading))
                .onErrorMap(IOException.class, e -> new UncheckedIOException("The migrations cannot be read", e))
                .subscribeOn(Schedulers.boundedElastic());
    }

    /* Runs code of the application: sources and migrations. */
    private static <T> Callable<T> emitting(Callable<T> reading) {
        return () -> {
            try {
                return reading.call();
            } catch (LinkageError | VirtualMachineError e) {
                throw Exceptions.propagate(UserCode.emittable(e));
            }
        };
    }

    private MigrationSnapshot seen(Rows rows, FoundMigrations found) {
        PlaceholderSettings placeholders = settings.placeholders.with(given(rows));
        return seen(rows, placeholders, found.with(placeholders));
    }

    private static MigrationSnapshot seen(Rows rows, PlaceholderSettings placeholders, FoundMigrations found) {
        return new MigrationSnapshot(
                rows.session(), rows.table(), rows.exists(), rows.rows(), placeholders, found, NO_PLAN);
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
