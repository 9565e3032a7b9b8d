package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.HistoryWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Creates missing schemas and the history table, and writes the baseline that starts the history. */
record Preparation(MigrationSettings settings, HistoryTable table, HistoryWriter writer) {

    /**
     * Counts the objects before it checks for the table: without a lock, another run may create the table in between,
     * and the objects of its migrations must not count as a baseline.
     */
    Mono<Void> prepare() {
        Engine engine = writer.engine();
        return SnapshotReader.countObjects(engine, settings, table)
                .zipWhen(objects -> SnapshotReader.count(engine, MigrationSql.COUNT_TABLES, table))
                .flatMap(counts -> counts.getT2() > 0 ? Mono.empty() : create(counts.getT1()));
    }

    /** Returns the error with which a creation would fail; empty if it would succeed. */
    Mono<InvalidMigrationException> refusal() {
        return SnapshotReader.countObjects(writer.engine(), settings, table)
                .flatMap(this::missingSchemas)
                .then(Mono.<InvalidMigrationException>empty())
                .onErrorResume(InvalidMigrationException.class, Mono::just);
    }

    private Mono<Void> create(long objects) {
        boolean begins = objects > 0 && settings.takesBaseline();
        return missingSchemas(objects)
                .map(missing -> create(missing).then(begins ? baseline() : Mono.empty()))
                .flatMap(this::atOnce);
    }

    private Mono<List<String>> missingSchemas(long objects) {
        if (objects > 0 && !settings.baselineOnMigrate && !settings.skipExecuting) {
            List<String> schemas = settings.allSchemas(table.knownSchema());
            return Mono.error(new InvalidMigrationException(
                    "There is no history " + table.qualified() + ", but "
                            + (schemas.size() == 1
                                    ? "the schema " + schemas + " is"
                                    : "the schemas " + schemas + " are")
                            + " not empty: " + Printable.count(objects, "object")
                            + ". If the database is to be taken as it is, set baselineOnMigrate(true) and baselineVersion(…);"
                            + " else empty it",
                    table.knownSchema()));
        }
        return missingSchemas();
    }

    /**
     * Runs the creation in one transaction, so that an interrupted run does not leave a history without its baseline.
     */
    private Mono<Void> atOnce(Mono<Void> creation) {
        return table.dialect().has(Feature.TRANSACTIONAL_DDL)
                ? writer.engine()
                        .unitOfWork()
                        .name("the creation of the history")
                        .execute(work -> creation)
                : creation;
    }

    private Mono<List<String>> missingSchemas() {
        return Flux.fromIterable(settings.allSchemas(table.knownSchema()))
                .filterWhen(schema -> isThere(schema).map(there -> !there))
                .collectList()
                .map(this::allowed);
    }

    private Mono<Boolean> isThere(String schema) {
        return writer.engine()
                .sql(table.text(MigrationSql.COUNT_SCHEMAS))
                .bind("schema", schema)
                .map(Long.class)
                .one()
                .map(count -> count > 0);
    }

    private List<String> allowed(List<String> missing) {
        if (!missing.isEmpty() && !settings.createSchemas) {
            throw new InvalidMigrationException(
                    "There is no " + Printable.noun(missing.size(), "schema") + " " + missing + ". Create "
                            + (missing.size() == 1 ? "it" : "them") + ", or set createSchemas(true)",
                    missing.toArray(String[]::new));
        }
        return missing;
    }

    private Mono<Void> create(List<String> missing) {
        Flux<String> statements = Flux.fromIterable(missing)
                .map(schema -> table.schemaText(MigrationSql.CREATE_SCHEMA, schema))
                .concatWith(Flux.just(MigrationSql.CREATE_TABLE, MigrationSql.CREATE_KEY, MigrationSql.CREATE_INDEX)
                        .map(table::text)
                        .filter(text -> !text.isEmpty()));
        return statements
                .concatMap(text -> writer.engine().sql(text).update())
                .then(missing.isEmpty() ? Mono.empty() : record(missing));
    }

    private Mono<Void> record(List<String> created) {
        Dialect dialect = table.dialect();
        return once(writer.schemas(created.stream().map(dialect::quote).collect(Collectors.joining(","))));
    }

    private Mono<Void> baseline() {
        return once(writer.baseline(1, settings.baselineVersion, settings.baselineDescription));
    }

    /** Ignores a duplicate row: two runs without a lock may write the same one. */
    private Mono<Void> once(Mono<Void> row) {
        return row.onErrorResume(e -> table.dialect().kindOf(e) == ErrorKind.DUPLICATE_KEY, e -> Mono.empty());
    }

    Mono<Void> useSchemaIfThere() {
        return Mono.justOrEmpty(settings.schema()).filterWhen(this::isThere).flatMap(schema -> useSchema());
    }

    /** Makes the default schema the current one of the session. */
    Mono<Void> useSchema() {
        return settings.schema() == null
                ? Mono.empty()
                : writer.engine()
                        .sql(table.text(MigrationSql.USE_SCHEMA))
                        .bindAll(Map.of("schema", table.knownSchema()))
                        .update()
                        .then();
    }
}
