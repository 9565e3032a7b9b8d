package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.work.Work;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Migrations that are being applied or undone, each with its row in the history. */
final class MigrationSteps {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final MigrationSnapshot look;
    private final Callbacks callbacks;
    private final CallbackPhase phase;
    private final List<FoundMigration> migrations;
    private final RunProgress executions;
    private final List<MigrationStep> begun = new CopyOnWriteArrayList<>();
    private volatile @Nullable HistoryRecorder recording;
    private volatile @Nullable String rolledBack;
    private volatile boolean bodyHasFailed;
    private volatile boolean statementHasFailed;
    /** The last whose script has ended the transaction that it was to run in. */
    private volatile @Nullable MigrationStep ended;

    private volatile boolean isMarked;

    /**
     * Nothing of it is begun.
     *
     * @param phase the events of each
     * @param executions gets what is committed
     */
    MigrationSteps(
            MigrationSettings settings,
            RunConnection run,
            MigrationSnapshot look,
            Callbacks callbacks,
            CallbackPhase phase,
            List<FoundMigration> migrations,
            RunProgress executions) {
        this.settings = settings;
        this.run = run;
        this.look = look;
        this.callbacks = callbacks;
        this.phase = phase;
        this.migrations = migrations;
        this.executions = executions;
    }

    /** Whether a group runs in a transaction, all of it or none; fails when they cannot be one. Empty when they are none. */
    Mono<Optional<Boolean>> groupInTransaction() {
        return settings.group
                ? MigrationGroup.inTransaction(steps(step -> 0, false), this::inTransaction, settings.mixed)
                        .map(Optional::of)
                : Mono.just(Optional.empty());
    }

    /**
     * Does it. Where not all can be rolled back together, each is recorded alone. Flyway opens a transaction there, too, which
     * the first DDL ends, and leaves rows of migrations that were rolled back, or none of those that were not.
     *
     * @param group what {@link #groupInTransaction} gave
     * @param turn what comes before a migration begins
     */
    Mono<Void> run(Optional<Boolean> group, HistoryRecorder rows, Function<FoundMigration, Mono<Void>> turn) {
        recording = rows;
        Function<MigrationStep, Mono<Void>> next = step -> turn.apply(step.migration());
        return group.orElse(false) && run.dialect().has(Feature.TRANSACTIONAL_DDL)
                ? together(rows, next)
                : each(
                        steps(rows::rank, group.isEmpty()),
                        step -> next.apply(step).then(Mono.defer(() -> alone(group, rows, step))));
    }

    private record Upcoming(int index, MigrationBody body) {}

    /** A step is made when the one before it is done. While that runs, this one may be read. */
    private Flux<MigrationStep> steps(IntUnaryOperator rank, boolean readsAhead) {
        return Flux.range(0, migrations.size())
                .map(i -> new Upcoming(i, MigrationBody.of(migrations.get(i), settings, run, look)))
                .flatMapSequential(
                        next -> (readsAhead ? next.body().readAhead() : Mono.<Void>empty()).thenReturn(next), 1, 1)
                .map(next ->
                        new MigrationStep(migrations.get(next.index()), rank.applyAsInt(next.index()), next.body()));
    }

    private Mono<Void> each(Flux<MigrationStep> steps, Function<MigrationStep, Mono<Void>> apply) {
        return steps.concatMap(step -> run.subscriber().orStop(Mono.defer(() -> apply.apply(step))), 0)
                .then();
    }

    private void begin(MigrationStep step) {
        begun.add(step);
        settings.tell(listener -> listener.started(step.migration()));
    }

    private Mono<Boolean> inTransaction(MigrationStep step) {
        return step.inTransaction()
                .onErrorMap(ScriptException.class, e -> StepFailure.unreadable(step, executions, e))
                .map(inside -> allowed(step, inside));
    }

    /** What this run holds of the lock would end with the transaction that the migration cannot be in. */
    private boolean allowed(MigrationStep step, boolean inTransaction) {
        if (!inTransaction && settings.lock == LockScope.TRANSACTION) {
            throw StepFailure.outsideTransaction(step, executions);
        }
        return inTransaction;
    }

    private Mono<Void> together(HistoryRecorder rows, Function<MigrationStep, Mono<Void>> turn) {
        String group = "the group of " + Printable.count(migrations.size(), "migration");
        rolledBack = group;
        return run.unit(group)
                .execute(work -> each(
                        steps(rows::rank, false),
                        step -> turn.apply(step).then(Mono.defer(() -> {
                            begin(step);
                            return withRow(rows, step, work);
                        }))))
                .then(Mono.defer(() -> ended == null ? Mono.empty() : requireDone(rows)));
    }

    private Mono<Void> requireDone(HistoryRecorder rows) {
        return settle(rows)
                .then(Mono.defer(() -> begun.isEmpty()
                        ? Mono.empty()
                        : Mono.error(StepFailure.takenBack(Objects.requireNonNull(ended), begun, executions))));
    }

    /** A group whose transaction a script has ended: what the history has of it is done, and is not rolled back any more. */
    private Mono<Void> settle(HistoryRecorder rows) {
        return run.elsewhere(other -> SnapshotReader.history(other, look.table()))
                .doOnNext(history -> begun.stream()
                        .filter(step -> rows.isDone(rows.row(history, step)))
                        .forEach(step -> applied(step.done())))
                .then();
    }

    private Mono<Void> alone(Optional<Boolean> group, HistoryRecorder rows, MigrationStep step) {
        begin(step);
        ended = null;
        return group.map(Mono::just).orElseGet(() -> inTransaction(step)).flatMap(inside -> alone(rows, step, inside));
    }

    private Mono<Void> alone(HistoryRecorder rows, MigrationStep step, boolean inTransaction) {
        boolean rollsBack = inTransaction && run.dialect().has(Feature.TRANSACTIONAL_DDL);
        rolledBack = rollsBack ? "it" : null;
        return rollsBack
                ? run.unit(step.title()).execute(work -> withRow(rows, step, work))
                : afterRow(rows, step, inTransaction);
    }

    /** A subscriber who leaves while the last statement runs finds it rolled back, too. */
    private Mono<Void> withRow(HistoryRecorder rows, MigrationStep step, Work work) {
        return watched(rows, step, body(step, Engine.on(work))).then(Mono.defer(() -> {
            Executed done = step.done();
            work.afterCommit(Mono.fromRunnable(() -> committed(done)));
            return isMarked
                    ? rows.ended(step, done.duration())
                    : run.subscriber()
                            .orStop(rows.together(step, done.duration()))
                            .then(run.subscriber().orStop(Mono.empty()));
        }));
    }

    /** A script that ends its transaction cannot be rolled back any more: from there on it counts as failed until it is done. */
    private Mono<Void> watched(HistoryRecorder rows, MigrationStep step, Mono<Void> body) {
        Mono<Void> atEnd = run.engine()
                .unitOfWork()
                .source()
                .one(connection -> run.watch().after(connection, false))
                .onErrorComplete();
        return Mono.defer(() -> {
            isMarked = false;
            return run.watch().during(RunSubscriber.andThen(body, atEnd), mark(rows, step));
        });
    }

    /** On another connection: on that of the script, the row would be a part of the session and the transaction it is in. */
    private Mono<Void> mark(HistoryRecorder rows, MigrationStep step) {
        return Mono.defer(() -> {
            ended = step;
            return run.elsewhere(other -> rows.on(other).begun(step))
                    .doOnSuccess(none -> isMarked = true)
                    .onErrorResume(e -> Mono.fromRunnable(
                            () -> settings.tell(listener -> listener.cleanupFailed("marking of " + step.title(), e))));
        });
    }

    private Mono<Void> afterRow(HistoryRecorder rows, MigrationStep step, boolean inTransaction) {
        return rows.begun(step)
                .then(
                        inTransaction
                                ? run.unit(step.title()).execute(work -> body(step, Engine.on(work)))
                                : body(step, run.engine()))
                .then(Mono.defer(() -> {
                    Executed done = step.done();
                    return rows.ended(step, done.duration()).doOnSuccess(end -> applied(done));
                }));
    }

    /** In a group of which a script has ended the transaction, the history says what is. */
    private void committed(Executed done) {
        if (ended == null || begun.size() == 1) {
            applied(done);
        }
    }

    /** What was begun is committed: in a group, all of it. */
    private void applied(Executed done) {
        begun.removeIf(step -> step.migration().equals(done.migration()));
        executions.add(done);
        settings.tell(listener -> listener.applied(done.migration(), done.duration()));
    }

    /** In a session as it was at the start, and as it is again for the row, whose writing a role of the script may not do. */
    private Mono<Void> body(MigrationStep step, Engine engine) {
        return Mono.defer(() -> {
            UnaryOperator<Mono<Long>> around = callbacks.withStatements(phase.ofStatements(), step.migration(), engine);
            Mono<Void> body = step.body()
                    .run(engine, statement -> around.apply(statement.doOnError(e -> statementHasFailed = true)))
                    .doOnError(e -> bodyHasFailed = true);
            return restored(!callbacks.isEmpty())
                    .then(settings.skipExecuting ? body : withCallbacks(step, engine, body));
        });
    }

    private Mono<Void> withCallbacks(MigrationStep step, Engine engine, Mono<Void> body) {
        return callbacks
                .within(phase.before(), step.migration(), engine)
                .then(body)
                .then(callbacks.within(phase.after(), step.migration(), engine))
                .then(Mono.defer(
                        () -> restored(!callbacks.isEmpty() || !step.body().keptSession())));
    }

    private Mono<Void> restored(boolean isUsed) {
        return isUsed ? look.session().restore(run.engine()) : Mono.empty();
    }

    /** What the subscriber is told, once everything is rolled back that can be. */
    Mono<Throwable> failure(Throwable e) {
        Mono<Throwable> told = begun.isEmpty() ? Mono.just(StepFailure.idle(run, executions, e)) : stepFailure(e);
        return told.flatMap(callbacks::failed);
    }

    /** The last that was begun is at fault. */
    private Mono<Throwable> stepFailure(Throwable e) {
        MigrationStep last = begun.get(begun.size() - 1);
        HistoryRecorder rows = Objects.requireNonNull(recording);
        Mono<Void> settled =
                ended == null || begun.size() == 1 ? Mono.empty() : settle(rows).onErrorComplete();
        return settled.then(Mono.defer(() -> failed(last, rows).told(e)))
                .doOnNext(told -> begun.forEach(
                        step -> settings.tell(listener -> listener.failed(step.migration(), told, step.time()))))
                .flatMap(told -> statementHasFailed ? callbacks.failed(phase.ofStatements(), told) : Mono.just(told))
                .flatMap(told -> bodyHasFailed ? callbacks.failed(phase, told) : Mono.just(told));
    }

    /** Of a group whose transaction was ended, others may be gone, too. */
    private StepFailure failed(MigrationStep last, HistoryRecorder rows) {
        boolean isOwn = last.equals(ended);
        List<MigrationStep> others = ended == null ? List.of() : begun.subList(0, begun.size() - 1);
        String takenBack = isOwn ? null : ended == null ? rolledBack : "it";
        return new StepFailure(run, look.table(), rows, last, executions, others, takenBack, !isOwn || isMarked);
    }
}
