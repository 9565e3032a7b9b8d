package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.ResolvedMigration;
import dev.r2dbcengine.migrate.ValidationProblem;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Applies the pending migrations on the connection of a run, under its lock: steps 6 to 8 of {@link LockedRun}. With
 * {@link LockScope#TRANSACTION}, {@link #run} is called once per transaction: each call applies one migration (all,
 * with {@code group}) and is empty; the last call finds nothing pending and emits the report.
 */
public final class MigrateRun implements LockedRun.Locked<MigrationReport> {

    /** The callback events of a run without pending migrations. */
    private static final Set<CallbackEvent> IDLE = EnumSet.of(
            CallbackEvent.AFTER_CONNECT,
            CallbackEvent.CREATE_SCHEMA,
            CallbackEvent.BEFORE_CREATE_SCHEMA,
            CallbackEvent.BEFORE_VALIDATE,
            CallbackEvent.AFTER_VALIDATE,
            CallbackEvent.BEFORE_MIGRATE,
            CallbackEvent.AFTER_VERSIONED,
            CallbackEvent.AFTER_MIGRATE);

    private final MigrationSettings settings;
    private final RunConnection run;
    private final boolean hadHistory;
    private final RunProgress applied = RunProgress.applied();
    private volatile @Nullable Callbacks callbacks;
    private volatile boolean isPrepared;
    private volatile boolean isOverVersions;
    private volatile @Nullable Set<String> todo;
    private volatile @Nullable MigrationSteps current;

    /** @param first the snapshot before the history was created, if it was missing */
    public MigrateRun(MigrationSettings settings, RunConnection run, MigrationSnapshot first) {
        this.settings = settings;
        this.run = run;
        this.hadHistory = first.exists();
    }

    /** Returns whether a run would change nothing and needs no lock. */
    public static boolean isDone(MigrationSettings settings, MigrationSnapshot look) {
        return look.plan().pending().isEmpty()
                && problems(settings, look).isEmpty()
                && (look.hasMigrations() || look.found().migrations().isEmpty())
                && !Callbacks.any(settings, look, IDLE);
    }

    /** Returns the problems that stop a run; a failed migration does so even without validation. */
    static List<ValidationProblem> problems(MigrationSettings settings, MigrationSnapshot look) {
        return look.plan().validation().problems().stream()
                .filter(problem -> settings.validateOnMigrate || problem.kind() == Kind.FAILED)
                .toList();
    }

    /** Returns the error with which a run would be rejected before it starts; empty if it would start. */
    public static Mono<InvalidMigrationException> refusal(
            Engine engine, MigrationSettings settings, MigrationSnapshot look) {
        if (isDone(settings, look)) {
            return Mono.empty();
        }
        Mono<InvalidMigrationException> invalid = Mono.just(problems(settings, look))
                .filter(all -> !all.isEmpty())
                .map(MigrateRun::invalid);
        return look.exists()
                ? invalid
                : look.preparation(engine, settings).refusal().switchIfEmpty(invalid);
    }

    public static MigrationReport report(MigrationSnapshot look, List<Executed> applied) {
        return new MigrationReport(applied, look.found().warnings());
    }

    @Override
    public Mono<MigrationReport> run(MigrationSnapshot look) {
        Callbacks begun = callbacks;
        Callbacks events = begun == null ? new Callbacks(settings, run, look, applied) : begun;
        callbacks = events;
        List<FoundMigration> pending = pending(look);
        boolean inParts = settings.lock == LockScope.TRANSACTION && !pending.isEmpty();
        List<FoundMigration> part = inParts && !settings.group ? pending.subList(0, 1) : pending;
        MigrationSteps steps =
                new MigrationSteps(settings, run, look, events, CallbackPhase.EACH_MIGRATE, part, applied);
        current = steps;
        return (begun == null && !isPrepared ? prepared(look, events) : Mono.<Void>empty())
                .then(Mono.defer(() -> apply(look, steps, events, begun == null)))
                .then(inParts ? Mono.empty() : end(look, events));
    }

    @Override
    public Mono<Void> unprepared(MigrationSnapshot look) {
        return SessionState.of(run.engine(), look.table()).flatMap(session -> {
            Callbacks events = Callbacks.ofUnprepared(settings, run, look, session);
            return prepared(look, events)
                    .onErrorResume(e -> events.failed(e).flatMap(Mono::error))
                    .doOnSuccess(none -> isPrepared = true);
        });
    }

    private Mono<Void> prepared(MigrationSnapshot look, Callbacks events) {
        return validated(look, events).then(events.creation());
    }

    private Mono<Void> validated(MigrationSnapshot look, Callbacks events) {
        return settings.validateOnMigrate
                ? events.begin(CallbackPhase.VALIDATE)
                        .then(problem(look))
                        .then(events.end(CallbackEvent.AFTER_VALIDATE))
                : Mono.empty();
    }

    private Mono<Void> problem(MigrationSnapshot look) {
        return Mono.defer(() -> {
            List<ValidationProblem> problems = problems(settings, look);
            return problems.isEmpty() ? Mono.empty() : Mono.error(invalid(problems));
        });
    }

    private Mono<Void> apply(MigrationSnapshot look, MigrationSteps steps, Callbacks events, boolean begins) {
        HistoryRecorder rows =
                new HistoryRecorder.Applied(look.writerUnderLock(run.engine(), settings), look.nextRank());
        return steps.groupInTransaction()
                .flatMap(group -> (begins ? begin(look, events) : problem(look))
                        .then(steps.run(group, rows, migration -> turn(migration, events))));
    }

    private Mono<Void> begin(MigrationSnapshot look, Callbacks events) {
        return (hadHistory || !look.isAtBaseline()
                        ? Mono.<Void>empty()
                        : events.around(CallbackPhase.BASELINE, Mono.empty()))
                .then(events.begin(CallbackPhase.MIGRATE))
                .then(problem(look))
                .doOnSuccess(none -> settings.tell(listener -> listener.planned(look.plan())));
    }

    /** Runs the callbacks between versioned and repeatable migrations, before the first repeatable one. */
    private Mono<Void> turn(FoundMigration migration, Callbacks events) {
        if (isOverVersions || migration.version() != null) {
            return Mono.empty();
        }
        isOverVersions = true;
        return events.on(CallbackEvent.AFTER_VERSIONED).then(events.on(CallbackEvent.BEFORE_REPEATABLES));
    }

    private Mono<MigrationReport> end(MigrationSnapshot look, Callbacks events) {
        return Mono.defer(() -> (isOverVersions ? Mono.<Void>empty() : events.on(CallbackEvent.AFTER_VERSIONED))
                        .then(Mono.defer(() -> applied.all().isEmpty()
                                ? events.end(CallbackEvent.AFTER_MIGRATE)
                                : events.end(CallbackEvent.AFTER_MIGRATE_APPLIED, CallbackEvent.AFTER_MIGRATE))))
                .then(Mono.fromSupplier(() -> report(look, applied.all())));
    }

    /**
     * Returns the migrations pending in the first snapshot under the lock that are still pending: a later plan may list
     * repeatable migrations that this run has just applied.
     */
    private List<FoundMigration> pending(MigrationSnapshot look) {
        List<FoundMigration> pending = look.plan().pending().stream()
                .map(migration -> Objects.requireNonNull(FoundMigration.of(migration)))
                .toList();
        Set<String> first = Objects.requireNonNullElseGet(todo, () -> scripts(pending.stream()));
        Set<String> done = scripts(applied.all().stream().map(Executed::migration));
        todo = first;
        return pending.stream()
                .filter(migration -> first.contains(migration.script()) && !done.contains(migration.script()))
                .toList();
    }

    private static Set<String> scripts(Stream<? extends ResolvedMigration> migrations) {
        return migrations.map(ResolvedMigration::script).collect(Collectors.toSet());
    }

    private static InvalidMigrationException invalid(List<ValidationProblem> problems) {
        return new InvalidMigrationException(
                problems.stream().map(ValidationProblem::message).collect(Collectors.joining(" ")),
                problems.stream().map(problem -> problem.migration().script()).toList(),
                null);
    }

    @Override
    public Mono<Throwable> failure(Throwable e) {
        MigrationSteps steps = current;
        return steps == null ? Mono.just(StepFailure.idle(run, applied, e)) : steps.failure(e);
    }
}
