package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Applies what is pending, on the connection of a run and under its lock. */
final class MigrateRun implements LockedRun.Locked<MigrationReport> {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final List<Executed> applied = new CopyOnWriteArrayList<>();
    private volatile @Nullable Set<String> todo;
    private volatile @Nullable Attempt current;

    MigrateRun(MigrationSettings settings, RunConnection run) {
        this.settings = settings;
        this.run = run;
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

    @Override
    public Mono<MigrationReport> run(Look look) {
        List<ValidationProblem> problems = problems(settings, look);
        if (!problems.isEmpty()) {
            return Mono.error(invalid(problems));
        }
        List<ResolvedMigration> pending = pending(look);
        boolean inParts = settings.lock == LockScope.TRANSACTION && !settings.group && !pending.isEmpty();
        Attempt attempt = new Attempt(settings, run, look, inParts ? pending.subList(0, 1) : pending, applied);
        current = attempt;
        return attempt.run().then(inParts ? Mono.empty() : Mono.fromSupplier(() -> report(settings, look, applied)));
    }

    /** What the first look had and nobody has applied: a plan made anew may hold what this run has just applied. */
    private List<ResolvedMigration> pending(Look look) {
        List<ResolvedMigration> pending = look.plan().pending().stream()
                .map(migration -> Objects.requireNonNull(migration.resolved()))
                .toList();
        Set<String> first = Objects.requireNonNullElseGet(todo, () -> scripts(pending.stream()));
        Set<String> done = scripts(applied.stream().map(Executed::migration));
        todo = first;
        return pending.stream()
                .filter(migration -> first.contains(migration.script()) && !done.contains(migration.script()))
                .toList();
    }

    private static Set<String> scripts(Stream<ResolvedMigration> migrations) {
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
        Attempt attempt = current;
        return attempt != null && attempt.hasBegun() ? attempt.failure(e) : Mono.just(run.isLost(e) ? lost(e) : e);
    }

    private MigrationException lost(Throwable e) {
        String message = "The connection of the run was lost, and the lock with it, while no migration ran. "
                + applied.size() + " migrations were applied before, and stay. Run again";
        return new MigrationException(message, applied, null, 0, null, e);
    }
}
