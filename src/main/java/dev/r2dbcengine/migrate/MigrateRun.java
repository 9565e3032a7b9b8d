package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Applies what is pending, on the connection of a run and under its lock. */
final class MigrateRun {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final Look look;
    private final HistoryWriter writer;
    private final List<Executed> applied = new CopyOnWriteArrayList<>();
    private volatile boolean sessionIsUsed;

    MigrateRun(MigrationSettings settings, RunConnection run, Look look) {
        this.settings = settings;
        this.run = run;
        this.look = look;
        this.writer = look.writer(run.engine(), settings).restoring(look.session());
    }

    /** Whether a run would change nothing, so that it needs no lock. */
    static boolean isDone(MigrationSettings settings, Look look) {
        return look.plan().pending().isEmpty()
                && problems(settings, look).isEmpty()
                && (look.hasMigrations() || look.found().migrations().isEmpty());
    }

    /** A failed migration stops a run whether it validates or not. */
    static List<ValidationProblem> problems(MigrationSettings settings, Look look) {
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
        settings.listener.planned(look.plan());
        return (settings.group ? group() : baseline().flatMapMany(this::each))
                .doOnNext(applied::add)
                .then(Mono.fromSupplier(() -> report(settings, look, applied)));
    }

    private Flux<Executed> each(int first) {
        return steps(first, step -> alone(step, inTransaction(step)));
    }

    /**
     * Where not all can be rolled back together, each is recorded alone. Flyway opens a transaction there, too, which the
     * first DDL ends, and leaves rows of migrations that were rolled back, or none of those that were not.
     */
    private Flux<Executed> group() {
        return MigrationGroup.inTransaction(steps(0), this::inTransaction, settings.mixed)
                .zipWhen(inTransaction -> baseline())
                .flatMapMany(group -> group.getT1() && run.dialect().has(Feature.TRANSACTIONAL_DDL)
                        ? together(group.getT2())
                        : steps(group.getT2(), step -> alone(step, Mono.just(group.getT1()))));
    }

    /** A step is made when the one before it is done. */
    private Flux<MigrationStep> steps(int first) {
        return Flux.fromIterable(look.plan().pending()).index().map(pending -> {
            ResolvedMigration migration = Objects.requireNonNull(pending.getT2().resolved());
            MigrationBody body = MigrationBody.of(migration, settings, run, look);
            return new MigrationStep(migration, first + Math.toIntExact(pending.getT1()), body);
        });
    }

    private Flux<Executed> steps(int first, Function<MigrationStep, Mono<Executed>> apply) {
        return steps(first).concatMap(step -> run.subscriber().orStop(Mono.defer(() -> apply.apply(step))), 0);
    }

    static InvalidMigrationException invalid(List<ValidationProblem> problems) {
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

    private Mono<Boolean> inTransaction(MigrationStep step) {
        return step.inTransaction().onErrorMap(ScriptException.class, e -> unreadable(step, e));
    }

    private Mono<Executed> alone(MigrationStep step, Mono<Boolean> inTransaction) {
        settings.listener.started(step.migration());
        return inTransaction
                .flatMap(inside -> alone(step, inside))
                .doOnError(e -> settings.listener.failed(step.migration(), e, step.time()))
                .doOnNext(done -> settings.listener.applied(step.migration(), done.duration()));
    }

    private Mono<Executed> alone(MigrationStep step, boolean inTransaction) {
        boolean undone = inTransaction && run.dialect().has(Feature.TRANSACTIONAL_DDL);
        Mono<Executed> result =
                undone ? run.unit(step.title()).execute(work -> withRow(step)) : afterRow(step, inTransaction);
        return result.onErrorMap(e -> failure(step, undone ? "it" : null, e));
    }

    /** What was begun is told of when all of it is over. */
    private Flux<Executed> together(int first) {
        List<MigrationStep> begun = new CopyOnWriteArrayList<>();
        String group = "the group of " + look.plan().pending().size() + " migrations";
        return run.unit(group)
                .execute(work -> steps(first, step -> {
                            begun.add(step);
                            settings.listener.started(step.migration());
                            return withRow(step);
                        })
                        .collectList())
                .onErrorMap(e -> begun.isEmpty() ? e : failure(begun.get(begun.size() - 1), group, e))
                .doOnError(e -> begun.forEach(step -> settings.listener.failed(step.migration(), e, step.time())))
                .flatMapIterable(Function.identity())
                .doOnNext(done -> settings.listener.applied(done.migration(), done.duration()));
    }

    private Mono<Executed> withRow(MigrationStep step) {
        return body(step).then(Mono.defer(() -> {
            Executed done = step.done();
            return insert(step, done.duration(), true).thenReturn(done);
        }));
    }

    /** What cannot be rolled back is recorded as failed until it has succeeded, so that even a kill is seen. */
    private Mono<Executed> afterRow(MigrationStep step, boolean inTransaction) {
        Mono<Void> all = body(step);
        return insert(step, Duration.ZERO, false)
                .then(inTransaction ? run.unit(step.title()).execute(work -> all) : all)
                .then(Mono.defer(() -> {
                    Executed done = step.done();
                    return writer.succeed(step.rank(), done.duration()).thenReturn(done);
                }));
    }

    private Mono<Void> insert(MigrationStep step, Duration time, boolean success) {
        return writer.insert(step.rank(), step.migration(), time, success)
                .doOnSuccess(done -> sessionIsUsed &= !writer.restores());
    }

    /** In a session as it was at the start, whatever the last script did to it. */
    private Mono<Void> body(MigrationStep step) {
        return Mono.defer(() -> {
            Mono<Void> before = sessionIsUsed ? restore() : Mono.empty();
            sessionIsUsed = true;
            return before.then(step.body().run());
        });
    }

    private Mono<Void> restore() {
        String text = look.session().restore();
        return text == null
                ? Mono.empty()
                : run.engine().sql(text.replace(":", "\\:")).update().then();
    }

    private MigrationException unreadable(MigrationStep step, ScriptException e) {
        return new MigrationException(
                e.getMessage() + ". Nothing of it was done. " + before(), applied, step.migration(), e.line(), null, e);
    }

    private String before() {
        return applied.size() + " migrations were applied before it.";
    }

    private Throwable failure(MigrationStep step, @Nullable String undone, Throwable e) {
        if (e instanceof CancellationException) {
            return e;
        }
        String what = undone != null
                ? "All that " + undone
                        + " did was rolled back, and nothing of it is recorded: correct it, and run again."
                : "What it did before that may stay, and the history has it as failed: undo by hand what it did,"
                        + " correct it, call repair(), and run again.";
        ScriptStatement statement = step.body().current();
        return new MigrationException(
                step.place() + ": " + step.title() + " failed. " + what + " " + before(),
                applied,
                step.migration(),
                statement == null ? 0 : statement.line(),
                statement == null ? null : statement.text(),
                e);
    }
}
