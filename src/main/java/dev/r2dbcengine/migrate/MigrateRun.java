package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Applies what is pending, on the connection of a run and under its lock. */
final class MigrateRun {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final Look look;
    private final HistoryWriter writer;
    private final List<Executed> applied = new CopyOnWriteArrayList<>();

    MigrateRun(MigrationSettings settings, RunConnection run, Look look) {
        this.settings = settings;
        this.run = run;
        this.look = look;
        this.writer = look.writer(run.engine(), settings);
    }

    /** Whether a run would change nothing, so that it needs no lock. */
    static boolean isDone(MigrationSettings settings, Look look) {
        return look.plan().pending().isEmpty()
                && problems(settings, look).isEmpty()
                && (look.hasMigrations() || look.found().migrations().isEmpty());
    }

    /** A failed migration stops a run whether it validates or not. */
    private static List<ValidationProblem> problems(MigrationSettings settings, Look look) {
        return look.plan().validation().problems().stream()
                .filter(problem -> settings.validateOnMigrate || problem.kind() == Kind.FAILED)
                .toList();
    }

    static MigrationReport report(MigrationSettings settings, Look look, List<Executed> applied) {
        List<String> warnings = look.warnings();
        warnings.forEach(settings.listener::warned);
        return new MigrationReport(applied, warnings);
    }

    /** The row of a baseline changes nothing in the plan, which knew of it. */
    Mono<MigrationReport> run() {
        List<ValidationProblem> problems = problems(settings, look);
        if (!problems.isEmpty()) {
            return Mono.error(invalid(problems));
        }
        return baseline()
                .flatMapMany(first -> Flux.fromIterable(look.plan().pending())
                        .index()
                        .concatMap(
                                pending -> run.subscriber()
                                        .orStop(apply(
                                                Objects.requireNonNull(
                                                        pending.getT2().resolved()),
                                                first + Math.toIntExact(pending.getT1()))),
                                0))
                .doOnNext(applied::add)
                .then(Mono.fromSupplier(() -> report(settings, look, applied)));
    }

    private static InvalidMigrationException invalid(List<ValidationProblem> problems) {
        return new InvalidMigrationException(
                problems.stream().map(ValidationProblem::message).collect(Collectors.joining(" ")),
                problems.stream().map(problem -> problem.migration().script()).toList(),
                null);
    }

    /** The next rank. */
    private Mono<Integer> baseline() {
        int rank = look.nextRank();
        return settings.baselineOnMigrate && !look.hasMigrations()
                ? Looker.countObjects(run.engine(), settings, look.table())
                        .flatMap(objects -> objects == 0
                                ? Mono.just(rank)
                                : writer.baseline(rank, settings.baselineVersion, settings.baselineDescription)
                                        .thenReturn(rank + 1))
                : Mono.just(rank);
    }

    private Mono<Executed> apply(ResolvedMigration migration, int rank) {
        return Mono.defer(() -> {
            settings.listener.started(migration);
            long since = System.nanoTime();
            MigrationBody body = MigrationBody.of(migration, settings, run, look);
            return body.inTransaction()
                    .subscribeOn(Schedulers.boundedElastic())
                    .onErrorMap(ScriptException.class, e -> unreadable(migration, e))
                    .flatMap(inTransaction -> apply(migration, rank, body, inTransaction, since))
                    .doOnError(e -> settings.listener.failed(migration, e, since(since)))
                    .doOnNext(done -> settings.listener.applied(migration, done.duration()));
        });
    }

    private Mono<Executed> apply(
            ResolvedMigration migration, int rank, MigrationBody body, boolean inTransaction, long since) {
        boolean undone = inTransaction && run.dialect().has(Feature.TRANSACTIONAL_DDL);
        Mono<Executed> result =
                undone ? withRow(migration, rank, body, since) : afterRow(migration, rank, body, inTransaction, since);
        return result.onErrorMap(e -> failure(migration, undone, body.current(), e));
    }

    private Mono<Executed> withRow(ResolvedMigration migration, int rank, MigrationBody body, long since) {
        return run.unit(title(migration))
                .execute(work -> restore().then(body.run()).then(Mono.defer(() -> {
                    Duration time = since(since);
                    return writer.insert(rank, migration, time, true).thenReturn(new Executed(migration, rank, time));
                })));
    }

    /** What cannot be rolled back is recorded as failed until it has succeeded, so that even a kill is seen. */
    private Mono<Executed> afterRow(
            ResolvedMigration migration, int rank, MigrationBody body, boolean inTransaction, long since) {
        Mono<Void> all = restore().then(body.run());
        return writer.insert(rank, migration, Duration.ZERO, false)
                .then(inTransaction ? run.unit(title(migration)).execute(work -> all) : all)
                .then(Mono.defer(() -> {
                    Duration time = since(since);
                    return writer.succeed(rank, time).thenReturn(new Executed(migration, rank, time));
                }));
    }

    /** The session as it was at the start, whatever the last script did to it. */
    private Mono<Void> restore() {
        String text = look.session().restore();
        return text == null
                ? Mono.empty()
                : run.engine().sql(text.replace(":", "\\:")).update().then();
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static String title(ResolvedMigration migration) {
        MigrationVersion version = migration.version();
        return version == null
                ? "the repeatable migration '" + migration.description() + "'"
                : "the migration to version " + version;
    }

    private MigrationException unreadable(ResolvedMigration migration, ScriptException e) {
        return new MigrationException(
                e.getMessage() + ". Nothing of it was done. " + before(), applied, migration, e.line(), null, e);
    }

    private String before() {
        return applied.size() + " migrations were applied before it.";
    }

    private Throwable failure(
            ResolvedMigration migration, boolean undone, @Nullable ScriptStatement statement, Throwable e) {
        if (e instanceof CancellationException) {
            return e;
        }
        String what = undone
                ? "All that it did was rolled back, and nothing of it is recorded: correct it, and run again."
                : "What it did before that may stay, and the history has it as failed: undo by hand what it did, correct"
                        + " it, call repair(), and run again.";
        return new MigrationException(
                migration.origin() + (statement == null ? "" : ", line " + statement.line()) + ": " + title(migration)
                        + " failed. " + what + " " + before(),
                applied,
                migration,
                statement == null ? 0 : statement.line(),
                statement == null ? null : statement.text(),
                e);
    }
}
