package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.plan.MigrationTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Undoes the versions above a target on the connection of a run, under its lock, in reverse order of application. */
public final class UndoRun implements LockedRun.Locked<MigrationReport> {

    /** The states of versions that the database no longer has. */
    private static final Set<MigrationState> GONE = EnumSet.of(MigrationState.UNDONE, MigrationState.DELETED);

    private static final Set<CallbackEvent> FRAME =
            EnumSet.of(CallbackEvent.AFTER_CONNECT, CallbackEvent.BEFORE_UNDO, CallbackEvent.AFTER_UNDO);

    private final MigrationSettings settings;
    private final RunConnection run;
    private final MigrationTarget target;
    private final RunProgress undone = RunProgress.undone();
    private volatile @Nullable Callbacks callbacks;
    private volatile @Nullable MigrationSteps current;

    public UndoRun(MigrationSettings settings, RunConnection run, MigrationTarget target) {
        this.settings = settings;
        this.run = run;
        this.target = target;
    }

    /** Returns the target version. Words such as {@code latest} are refused, since they apply to {@code migrate}. */
    public static MigrationTarget target(String text) {
        MigrationTarget target = MigrationTarget.of(text);
        if (target.kind() != MigrationTarget.Kind.FIXED) {
            throw new InvalidMigrationException("undo(\"" + text
                    + "\") says no version: name the one that is to stay as the newest, or 0? for none");
        }
        return target;
    }

    /** Rejects an undo that is not possible, before anything is locked or created. */
    public static @Nullable MigrationReport first(
            MigrationSettings settings, MigrationTarget target, MigrationSnapshot look) {
        if (!look.exists()) {
            throw new InvalidMigrationException(
                    "There is no history " + look.table().qualified()
                            + ", and so there is nothing to undo: check schemas, defaultSchema and table");
        }
        return scripts(look, rows(target, look)).isEmpty() && !Callbacks.any(settings, look, FRAME)
                ? MigrateRun.report(look, List.of())
                : null;
    }

    @Override
    public Mono<MigrationReport> run(MigrationSnapshot look) {
        Callbacks begun = callbacks;
        Callbacks events = begun == null ? new Callbacks(settings, run, look, undone) : begun;
        callbacks = events;
        Mono<MigrationReport> end = Mono.defer(() -> events.end(CallbackEvent.AFTER_UNDO))
                .then(Mono.fromSupplier(() -> MigrateRun.report(look, undone.all())));
        if (begun != null) {
            return end;
        }
        Mono<Void> all = events.begin(CallbackPhase.UNDO).then(undo(look, events));
        return settings.lock == LockScope.TRANSACTION ? all.then(Mono.empty()) : all.then(end);
    }

    private Mono<Void> undo(MigrationSnapshot look, Callbacks events) {
        List<AppliedMigration> rows = rows(target, look);
        MigrationSteps steps =
                new MigrationSteps(settings, run, look, events, CallbackPhase.EACH_UNDO, scripts(look, rows), undone);
        current = steps;
        HistoryRecorder recording = new HistoryRecorder.Undone(look.writerUnderLock(run.engine(), settings), rows);
        return steps.groupInTransaction().flatMap(group -> steps.run(group, recording, none -> Mono.empty()));
    }

    private static List<AppliedMigration> rows(MigrationTarget target, MigrationSnapshot look) {
        MigrationVersion stays = Objects.requireNonNull(target.version());
        List<MigrationStatus> versions = look.plan().migrations().stream()
                .filter(status ->
                        status.applied() != null && status.version() != null && !GONE.contains(status.state()))
                .toList();
        if (target.required() && versions.stream().noneMatch(status -> stays.equals(status.version()))) {
            throw new InvalidMigrationException(
                    "Version " + stays
                            + " is not applied, so that nothing can be undone down to it: name one that is, or"
                            + " write " + stays + "? to undo all above it",
                    stays.toString());
        }
        return versions.stream()
                .filter(status -> Objects.requireNonNull(status.version()).newerThan(stays))
                .map(UndoRun::undoable)
                .sorted(Comparator.comparing(AppliedMigration::rank).reversed())
                .toList();
    }

    private static AppliedMigration undoable(MigrationStatus status) {
        AppliedMigration row = Objects.requireNonNull(status.applied());
        if (row.type().baseline()) {
            throw new InvalidMigrationException(
                    "The history begins with a baseline of version " + row.version()
                            + ", and what was before it is not known: undo down to " + row.version() + " at most",
                    row.script());
        }
        if (!row.success()) {
            throw new InvalidMigrationException(
                    "Version " + row.version() + " has failed (" + row.script()
                            + "): undo by hand what it did, and call repair(), which takes it out of the history",
                    row.script());
        }
        return row;
    }

    /** Returns the undo scripts of all versions; fails if one is missing. */
    private static List<FoundMigration> scripts(MigrationSnapshot look, List<AppliedMigration> rows) {
        Map<MigrationVersion, FoundMigration> found = look.found().migrations().stream()
                .filter(migration -> migration.kind() == MigrationKind.UNDO)
                .collect(Collectors.toMap(
                        migration -> Objects.requireNonNull(migration.version()), Function.identity()));
        List<FoundMigration> scripts = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (AppliedMigration row : rows) {
            FoundMigration script = found.get(row.version());
            if (script == null) {
                missing.add(String.valueOf(row.version()));
            } else {
                scripts.add(script);
            }
        }
        if (!missing.isEmpty()) {
            throw new InvalidMigrationException(
                    "There is no undo script for the " + Printable.noun(missing.size(), "version") + " "
                            + String.join(", ", missing)
                            + ", and so nothing was undone: write U" + missing.get(0)
                            + "__….sql and its like, or undo down to a later version",
                    missing.toArray(String[]::new));
        }
        return scripts;
    }

    @Override
    public Mono<Throwable> failure(Throwable e) {
        MigrationSteps steps = current;
        return steps == null ? Mono.just(StepFailure.idle(run, undone, e)) : steps.failure(e);
    }
}
