package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationScript;
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

/**
 * Applies or undoes a list of migrations, each with its row in the history. How a migration and its row are written
 * depends on the database and the script:
 *
 * <pre>
 * transactional DDL, script in a transaction   one transaction: statements, row              rolled back on failure
 * group(true), transactional DDL               one transaction for all migrations            rolled back on failure
 * otherwise                                    row as failed, statements, row as applied     stays failed on failure
 * script ends its transaction itself           row as failed, on another connection, then    stays failed on failure
 *                                              as applied after the last statement
 * </pre>
 *
 * <p>PostgreSQL answers the COMMIT of each script but the last before it has flushed its log. A crash of the server may
 * take back the latest of them, each with its row; so a run ends only after a flush: the COMMIT of the last migration, or
 * one of its own after a failure or cancellation.
 */
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
    /** The last step whose script ended the transaction that the run began for it. */
    private volatile @Nullable MigrationStep ended;

    private volatile boolean isMarked;
    private volatile boolean isUnflushed;

    /**
     * Creates steps that have not started.
     *
     * @param phase the callback phase of each migration
     * @param executions records committed migrations
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

    /**
     * Returns whether a group runs in a transaction, or an empty Optional without a group; fails if the group mixes
     * both kinds.
     */
    Mono<Optional<Boolean>> groupInTransaction() {
        return settings.group
                ? MigrationGroup.inTransaction(steps(step -> 0, false), this::inTransaction, settings.mixed)
                        .map(Optional::of)
                : Mono.just(Optional.empty());
    }

    /**
     * Runs the steps. If DDL cannot be rolled back, each migration of a group is recorded alone. Flyway opens a
     * transaction there as well, which the first DDL commits, so that its history may list migrations that were rolled
     * back, or miss some that were not.
     *
     * @param group the result of {@link #groupInTransaction}
     * @param turn runs before a migration starts
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

    /** Creates each step when the previous one has completed; the script of the next one may be read before that. */
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

    /** Rejects a migration that cannot run in the transaction that holds the lock. */
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

    /** Reads the history after a script ended the group's transaction: migrations that it lists as done are final. */
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

    /** Runs a migration and writes its row in one transaction; a cancel during the last statement rolls both back. */
    private Mono<Void> withRow(HistoryRecorder rows, MigrationStep step, Work work) {
        return watched(rows, step, body(step, Engine.on(work))).then(Mono.defer(() -> {
            Executed done = step.done();
            work.afterCommit(Mono.fromRunnable(() -> committed(done)));
            return isMarked
                    ? rows.ended(step, done.duration())
                    : run.subscriber()
                            .orStop(flushing(rows, step).together(step, done.duration()))
                            .then(run.subscriber().orStop(Mono.empty()));
        }));
    }

    /** Only steps that have no effects outside of the database need not be flushed before the next one. */
    private HistoryRecorder flushing(HistoryRecorder rows, MigrationStep step) {
        boolean isFlushedLater = settings.lock == LockScope.SESSION
                && !settings.group
                && callbacks.isEmpty()
                && phase == CallbackPhase.EACH_MIGRATE
                && step.migration().content() instanceof MigrationScript
                && step.migration() != migrations.get(migrations.size() - 1)
                && !look.table().text(MigrationSql.UNFLUSHED_COMMIT).isEmpty();
        isUnflushed |= isFlushedLater;
        return isFlushedLater ? rows.unflushed() : rows;
    }

    /**
     * Watches for a script that ends its transaction: it cannot be rolled back any more and counts as failed until it
     * completes.
     */
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

    /** Uses another connection, since on the script's own the row would depend on its session and open transaction. */
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

    /** In a group whose transaction a script ended, the history decides instead. */
    private void committed(Executed done) {
        if (ended == null || begun.size() == 1) {
            applied(done);
        }
    }

    /** Records a committed migration and notifies the listener. */
    private void applied(Executed done) {
        begun.removeIf(step -> step.migration().equals(done.migration()));
        executions.add(done);
        settings.tell(listener -> listener.applied(done.migration(), done.duration()));
    }

    /**
     * Restores the session before the script, and again before the row: a role that the script set may lack the
     * privilege to write it.
     */
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

    /** Returns the error for the subscriber, after the rollback; runs the error callbacks. */
    Mono<Throwable> failure(Throwable e) {
        Mono<Throwable> described =
                Mono.defer(() -> begun.isEmpty() ? Mono.just(StepFailure.idle(run, executions, e)) : stepFailure(e));
        return (isUnflushed ? flush(e) : Mono.<Void>empty()).then(described).flatMap(callbacks::failed);
    }

    /** Makes what is reported as applied permanent. After a loss of the connection, first finds out what remained. */
    private Mono<Void> flush(Throwable e) {
        Mono<Void> flushed = run.isLost(e)
                ? run.elsewhere(other -> flush(other).then(SnapshotReader.history(other, look.table())))
                        .doOnNext(history -> executions.keep(
                                done -> history.stream().anyMatch(row -> row.rank() == done.rank() && row.success())))
                        .then()
                : flush(run.engine());
        return flushed.onErrorResume(failure -> Mono.fromRunnable(() -> {
            executions.isDoubtful().set(true);
            settings.tell(listener -> listener.cleanupFailed("flush of the server's log", failure));
        }));
    }

    private Mono<Void> flush(Engine engine) {
        return engine.sql(look.table().text(MigrationSql.FLUSH))
                .map(String.class)
                .one()
                .then();
    }

    /** Attributes the failure to the migration that was started last. */
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

    /** In a group whose transaction was ended, earlier migrations may be lost as well. */
    private StepFailure failed(MigrationStep last, HistoryRecorder rows) {
        boolean isOwn = last.equals(ended);
        List<MigrationStep> others = ended == null ? List.of() : begun.subList(0, begun.size() - 1);
        String takenBack = isOwn ? null : ended == null ? rolledBack : "it";
        return new StepFailure(run, look.table(), rows, last, executions, others, takenBack, !isOwn || isMarked);
    }
}
