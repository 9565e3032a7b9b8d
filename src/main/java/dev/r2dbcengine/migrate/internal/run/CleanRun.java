package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Drops all objects of the schemas, and the schemas that a run created, which the row of type SCHEMA lists. */
public record CleanRun(Engine engine, MigrationSettings settings) {

    public Mono<Void> clean() {
        return settings.cleanDisabled
                ? Mono.error(() -> new InvalidMigrationException(
                        "clean() is disabled by default. To allow it, set cleanDisabled(false); it deletes every object in"
                                + " the schemas"))
                : LockedRun.inTurn(
                        engine,
                        settings,
                        subscriber -> subscriber.orStop(SnapshotReader.dialect(engine)
                                .flatMap(dialect ->
                                        RunConnection.open(engine, settings, dialect, subscriber, this::clean))));
    }

    private Mono<Void> clean(RunConnection run) {
        SnapshotReader looker = new SnapshotReader(settings, true);
        return looker.unplanned(run.engine())
                .flatMap(look -> connected(run, look))
                .flatMap(before -> {
                    Callbacks callbacks = Callbacks.ofUnprepared(settings, run, before, before.session());
                    Mono<Void> drops = looker.rows(run.engine()).flatMap(rows -> atOnce(run, drop(run, rows)));
                    return MigrationLock.of(before.preparation(run.engine(), settings), run, engine)
                            .holdUnprepared(LockedRun.leavingSession(
                                    settings, before.table(), run, callbacks.around(CallbackPhase.CLEAN, drops)))
                            .onErrorResume(e -> callbacks.failed(e).flatMap(Mono::error));
                });
    }

    private Mono<MigrationSnapshot> connected(RunConnection run, MigrationSnapshot look) {
        return settings.lock == LockScope.TRANSACTION ? Mono.just(look) : Callbacks.connected(settings, run, look);
    }

    private static Mono<Void> atOnce(RunConnection run, Mono<Void> drops) {
        return run.dialect().has(Feature.TRANSACTIONAL_DDL)
                ? run.unit("the clean").execute(work -> drops)
                : drops;
    }

    private Mono<Void> drop(RunConnection run, SnapshotReader.Rows rows) {
        HistoryTable table = rows.table();
        List<String> schemas = settings.allSchemas(table.knownSchema());
        Flux<String> objects = Flux.fromIterable(schemas)
                .concatMap(schema -> run.engine()
                        .sql(table.text(MigrationSql.DROPS))
                        .bindAll(Map.of("schema", schema, "table", table.name()))
                        .map(String.class)
                        .all()
                        .collectList()
                        .flatMapIterable(drops -> drops));
        Flux<String> created = Flux.fromStream(
                () -> created(rows, schemas).map(schema -> table.schemaText(MigrationSql.DROP_SCHEMA, schema)));
        return Flux.concat(objects, created)
                .concatMap(
                        drop -> run.subscriber().orStop(run.engine().sql(drop).update()))
                .then();
    }

    private static Stream<String> created(SnapshotReader.Rows rows, List<String> schemas) {
        Dialect dialect = rows.table().dialect();
        List<String> quoted = rows.rows().stream()
                .filter(row -> row.type().equals(MigrationType.SCHEMA))
                .flatMap(row -> Arrays.stream(row.script().split(",", -1)))
                .toList();
        return schemas.stream().filter(schema -> quoted.contains(dialect.quote(schema)));
    }
}
