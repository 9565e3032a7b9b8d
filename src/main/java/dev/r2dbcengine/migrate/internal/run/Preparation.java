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

/** Creates schemas and history table where they are missing, and writes the baseline that begins it. */
record Preparation(MigrationSettings settings, HistoryTable table, HistoryWriter writer) {

    /**
     * The objects are counted before the table is looked for: where no lock is held yet, somebody else may create it in
     * between, and then its migrations are no objects of strangers.
     */
    Mono<Void> prepare() {
        Engine engine = writer.engine();
        return SnapshotReader.countObjects(engine, settings, table)
                .zipWhen(objects -> SnapshotReader.count(engine, MigrationSql.COUNT_TABLES, table))
                .flatMap(counts -> counts.getT2() > 0 ? Mono.empty() : create(counts.getT1()));
    }

    /** What a creation would fail with; empty when nothing is in its way. */
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

    /** No run that ends in between leaves a history whose objects the next one takes for those of migrations. */
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

    /** Two who hold no lock yet may write the same row. */
    private Mono<Void> once(Mono<Void> row) {
        return row.onErrorResume(e -> table.dialect().kindOf(e) == ErrorKind.DUPLICATE_KEY, e -> Mono.empty());
    }

    Mono<Void> useSchemaIfThere() {
        return Mono.justOrEmpty(settings.schema()).filterWhen(this::isThere).flatMap(schema -> useSchema());
    }

    /** The default schema first, as long as the session lasts. */
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
