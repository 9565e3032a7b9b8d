package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Migrations that are being applied, each with its row in the history. */
final class Attempt {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final Look look;
    private final List<ResolvedMigration> pending;
    private final List<Executed> applied;
    private final HistoryWriter writer;
    private final List<MigrationStep> begun = new CopyOnWriteArrayList<>();
    private volatile @Nullable String undone;
    private volatile boolean sessionIsUsed;

    /** @param applied gets what is committed */
    Attempt(
            MigrationSettings settings,
            RunConnection run,
            Look look,
            List<ResolvedMigration> pending,
            List<Executed> applied) {
        this.settings = settings;
        this.run = run;
        this.look = look;
        this.pending = pending;
        this.applied = applied;
        this.writer = look.writer(run.engine(), settings).restoring(look.session());
    }

    Mono<Void> run() {
        return settings.group ? group() : baseline().flatMap(this::each);
    }

    /** The next rank. The row of a baseline changes nothing in the plan, which knew of it. */
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

    private Mono<Void> each(int first) {
        return steps(first, step -> {
            begin(step);
            return inTransaction(step).flatMap(inside -> alone(step, inside));
        });
    }

    /**
     * Where not all can be rolled back together, each is recorded alone. Flyway opens a transaction there, too, which the
     * first DDL ends, and leaves rows of migrations that were rolled back, or none of those that were not.
     */
    private Mono<Void> group() {
        return MigrationGroup.inTransaction(steps(0), this::inTransaction, settings.mixed)
                .zipWhen(inside -> baseline())
                .flatMap(group -> group.getT1() && run.dialect().has(Feature.TRANSACTIONAL_DDL)
                        ? together(group.getT2())
                        : steps(group.getT2(), step -> {
                            begin(step);
                            return alone(step, group.getT1());
                        }));
    }

    /** A step is made when the one before it is done. */
    private Flux<MigrationStep> steps(int first) {
        return Flux.fromIterable(pending).index().map(next -> {
            MigrationBody body = MigrationBody.of(next.getT2(), settings, run, look);
            return new MigrationStep(next.getT2(), first + Math.toIntExact(next.getT1()), body);
        });
    }

    private Mono<Void> steps(int first, Function<MigrationStep, Mono<Void>> apply) {
        return steps(first)
                .concatMap(step -> run.subscriber().orStop(Mono.defer(() -> apply.apply(step))), 0)
                .then();
    }

    private void begin(MigrationStep step) {
        begun.add(step);
        settings.listener.started(step.migration());
    }

    private Mono<Boolean> inTransaction(MigrationStep step) {
        return step.inTransaction()
                .onErrorMap(ScriptException.class, e -> StepFailure.unreadable(step, applied, e))
                .map(inside -> allowed(step, inside));
    }

    /** What this run holds of the lock would end with the transaction that the migration cannot be in. */
    private boolean allowed(MigrationStep step, boolean inTransaction) {
        if (!inTransaction && settings.lock == LockScope.TRANSACTION) {
            throw StepFailure.outsideTransaction(step, applied);
        }
        return inTransaction;
    }

    private Mono<Void> alone(MigrationStep step, boolean inTransaction) {
        boolean rollsBack = inTransaction && run.dialect().has(Feature.TRANSACTIONAL_DDL);
        undone = rollsBack ? "it" : null;
        return rollsBack ? run.unit(step.title()).execute(work -> withRow(step, work)) : afterRow(step, inTransaction);
    }

    private Mono<Void> together(int first) {
        String group = "the group of " + pending.size() + " migrations";
        undone = group;
        return run.unit(group)
                .execute(work -> steps(first, step -> {
                    begin(step);
                    return withRow(step, work);
                }));
    }

    private Mono<Void> withRow(MigrationStep step, Work work) {
        return body(step).then(Mono.defer(() -> {
            Executed done = step.done();
            work.afterCommit(Mono.fromRunnable(() -> applied(done)));
            return insert(step, done.duration(), true);
        }));
    }

    /** What cannot be rolled back is recorded as failed until it has succeeded, so that even a kill is seen. */
    private Mono<Void> afterRow(MigrationStep step, boolean inTransaction) {
        Mono<Void> all = body(step);
        return insert(step, Duration.ZERO, false)
                .then(inTransaction ? run.unit(step.title()).execute(work -> all) : all)
                .then(Mono.defer(() -> {
                    Executed done = step.done();
                    return writer.succeed(step.rank(), done.duration()).doOnSuccess(end -> applied(done));
                }));
    }

    /** What was begun is committed: in a group, all of it. */
    private void applied(Executed done) {
        begun.clear();
        applied.add(done);
        settings.listener.applied(done.migration(), done.duration());
    }

    private Mono<Void> insert(MigrationStep step, Duration time, boolean success) {
        return writer.insert(step.rank(), step.migration(), time, success)
                .doOnSuccess(done -> sessionIsUsed &= !writer.restores());
    }

    /** In a session as it was at the start, whatever the last script did to it. */
    private Mono<Void> body(MigrationStep step) {
        return Mono.defer(() -> {
            Mono<Void> before = sessionIsUsed ? look.session().restore(run.engine()) : Mono.empty();
            sessionIsUsed = true;
            return before.then(step.body().run());
        });
    }

    boolean hasBegun() {
        return !begun.isEmpty();
    }

    /** What the subscriber is told, once everything is rolled back that can be. The last that was begun is at fault. */
    Mono<Throwable> failure(Throwable e) {
        return new StepFailure(run, look.table(), begun.get(begun.size() - 1), applied, undone)
                .told(e)
                .doOnNext(told -> begun.forEach(step -> settings.listener.failed(step.migration(), told, step.time())));
    }
}
