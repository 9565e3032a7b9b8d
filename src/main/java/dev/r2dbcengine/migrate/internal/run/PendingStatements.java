package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationStatement;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationScript;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * Reads the statements that a run would send, without sending any. A migration in code has none that are known in
 * advance.
 */
public record PendingStatements(MigrationSettings settings, MigrationSnapshot look) {

    public Flux<MigrationStatement> all() {
        InvalidMigrationException refusal = look.plan().refusal();
        return refusal == null
                ? Flux.fromIterable(look.plan().pending())
                        .map(pending -> Objects.requireNonNull(FoundMigration.of(pending)))
                        .filter(migration -> !settings.skipExecuting)
                        .concatMap(this::of, 0)
                : Flux.error(refusal);
    }

    private Flux<MigrationStatement> of(FoundMigration migration) {
        return migration.content() instanceof MigrationScript source
                ? read(look.placeholders().script(source), migration)
                : Flux.empty();
    }

    private Flux<MigrationStatement> read(Script script, FoundMigration migration) {
        Dialect dialect = look.table().dialect();
        return Flux.using(
                        () -> script.open(dialect, look.session().majorVersion()),
                        ScriptRun::statements,
                        ScriptRun::close)
                .subscribeOn(Schedulers.boundedElastic())
                .map(next -> new MigrationStatement(
                        migration, next.line(), next.copiesData() ? next.text() : dialect.forBatch(next.text())))
                .onErrorMap(
                        ScriptException.class,
                        e -> new InvalidMigrationException(
                                String.valueOf(e.getMessage()), List.of(migration.origin()), e));
    }
}
