package dev.r2dbcengine.cli;

import dev.r2dbcengine.cli.Task.Call;
import dev.r2dbcengine.cli.Task.Kind;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.RepairReport;
import dev.r2dbcengine.migrate.ValidationReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** All commands that ask a runner, and what they tell. */
final class Tasks {

    private static final String CHECK = "--check";
    private static final String SQL = "--sql";
    private static final String TO = "--to";

    /** Of a second look: the first has reported what there is to warn of. */
    private static final MigrationListener WARNED = new MigrationListener() {
        @Override
        public void warned(String warning) {}
    };

    private Tasks() {}

    static List<Task> all() {
        return List.of(
                new Task(
                        "migrate",
                        Kind.RUN,
                        "Applies what is pending.",
                        List.of(
                                "--url r2dbc:postgresql://db/shop --ask-password",
                                "--wait 60s --locations filesystem:/scripts",
                                "--target 2.1 --placeholder owner=shop"),
                        List.of(),
                        call -> call.runner().migrate().map(Tasks::migrated)),
                new Task(
                        "info",
                        Kind.LOOK,
                        "Tells of all migrations: what was applied, what is pending, what has changed.",
                        List.of("", "--check   # 3 when something is pending or invalid", "--json | jq .pending"),
                        List.of(Options.switched(CHECK, "end with 3 when something is pending or invalid")),
                        call -> call.runner().plan().map(plan -> info(plan, call))),
                new Task(
                        "plan",
                        Kind.LOOK,
                        "Tells what migrate would do, and changes nothing. Ends with 1 where migrate would fail.",
                        List.of("", "--sql > review.sql", "--target next"),
                        List.of(Options.switched(SQL, "print the statements, exactly as they would be sent")),
                        Tasks::plan),
                new Task(
                        "validate",
                        Kind.LOOK,
                        "Tells whether history and scripts fit; something pending does not, either. Ends with 3 then.",
                        List.of("", "--ignore-migration-patterns '*:pending'"),
                        List.of(),
                        call -> call.runner().validate().map(Tasks::validated)),
                new Task(
                        "repair",
                        Kind.RUN,
                        "Puts the history right: removes failed rows, marks missing ones, takes over checksums.",
                        List.of(""),
                        List.of(),
                        call -> call.runner().repair().map(Tasks::repaired)),
                new Task(
                        "baseline",
                        Kind.RUN_WITHOUT_SCRIPTS,
                        "Begins the history of a database that has objects already.",
                        List.of("--baseline-version 12"),
                        List.of(),
                        call -> call.runner().baseline().map(Tasks::based)),
                new Task(
                        "undo",
                        Kind.RUN,
                        "Takes versions back by their U scripts, the last applied first, down to one that stays.",
                        List.of("--to 2.1", "--to '0?'   # all of them"),
                        List.of(Options.required(TO, "VERSION", "the version that stays as the newest")),
                        call -> call.runner().undo(call.value(TO)).map(Tasks::undone)),
                new Task(
                        "clean",
                        Kind.RUN_WITHOUT_SCRIPTS,
                        "Drops all objects of the schemas. For databases of tests.",
                        List.of("--clean-disabled=false"),
                        List.of(),
                        call -> call.runner().clean().then(Mono.fromSupplier(Tasks::cleaned))));
    }

    private static CommandResult migrated(MigrationReport report) {
        return ran(report, "applied", "Nothing was applied: nothing is pending.", "Applied ", "migration");
    }

    private static CommandResult undone(MigrationReport report) {
        return ran(report, "undone", "Nothing to do: no version above it is applied.", "Undid ", "version");
    }

    private static CommandResult ran(MigrationReport report, String key, String nothing, String did, String what) {
        List<Executed> done = report.applied();
        Duration time = done.stream().map(Executed::duration).reduce(Duration.ZERO, Duration::plus);
        return new CommandResult(
                CommandResult.DONE,
                Json.object(key, done.stream().map(JsonViews::executed).toList(), "warnings", report.warnings()),
                List.of(done.isEmpty() ? nothing : did + count(done, what) + " in " + Progress.seconds(time) + "."));
    }

    private static CommandResult info(MigrationPlan plan, Call call) {
        boolean ready = plan.pending().isEmpty() && plan.validation().valid();
        return new CommandResult(
                ready || !call.has(CHECK) ? CommandResult.DONE : CommandResult.NOT_READY,
                Json.object(
                        "pending", plan.pending().size(),
                        "migrations",
                                plan.migrations().stream()
                                        .map(JsonViews::status)
                                        .toList(),
                        "problems",
                                plan.validation().problems().stream()
                                        .map(JsonViews::problem)
                                        .toList()),
                Listing.of(plan.migrations(), plan.validation(), call.shell()));
    }

    private static Mono<CommandResult> plan(Call call) {
        MigrationRunner runner = call.runner();
        Mono<CommandResult> planned = runner.plan().flatMap(plan -> planned(plan, call.shell()));
        if (!call.has(SQL)) {
            return planned;
        }
        return call.has(Options.JSON)
                ? planned.flatMap(
                        plan -> plan.exitCode() == CommandResult.DONE ? withStatements(plan, runner) : Mono.just(plan))
                : new Statements(call.shell()).print(runner.statements());
    }

    private static Mono<CommandResult> withStatements(CommandResult plan, MigrationRunner runner) {
        return runner.listener(WARNED)
                .statements()
                .map(JsonViews::statement)
                .collectList()
                .map(statements -> {
                    Map<String, @Nullable Object> json = Json.object("statements", statements);
                    json.putAll(plan.json());
                    return new CommandResult(plan.exitCode(), json, plan.lines());
                });
    }

    /** What is wrong with migrations is told with them; what keeps all of them from running, as migrate would. */
    private static Mono<CommandResult> planned(MigrationPlan plan, Shell shell) {
        InvalidMigrationException refusal = plan.refusal();
        return refusal != null && plan.validation().valid()
                ? Mono.error(refusal)
                : Mono.just(planned(plan, refusal == null ? CommandResult.DONE : CommandResult.FAILED, shell));
    }

    private static CommandResult planned(MigrationPlan plan, int exitCode, Shell shell) {
        return new CommandResult(
                exitCode,
                Json.object(
                        "pending",
                                plan.pending().stream().map(JsonViews::status).toList(),
                        "problems",
                                plan.validation().problems().stream()
                                        .map(JsonViews::problem)
                                        .toList()),
                Listing.of(plan.pending(), plan.validation(), shell));
    }

    private static CommandResult validated(ValidationReport report) {
        return new CommandResult(
                report.valid() ? CommandResult.DONE : CommandResult.NOT_READY,
                Json.object(
                        "problems",
                        report.problems().stream().map(JsonViews::problem).toList()),
                report.valid() ? List.of("History and scripts fit.") : Listing.problems(report));
    }

    private static CommandResult repaired(RepairReport report) {
        return new CommandResult(
                CommandResult.DONE,
                Json.object(
                        "removed", report.removed().stream().map(JsonViews::row).toList(),
                        "deleted", report.deleted().stream().map(JsonViews::row).toList(),
                        "aligned", report.aligned().stream().map(JsonViews::row).toList()),
                List.of("Removed " + count(report.removed(), "failed row") + ", marked "
                        + count(report.deleted(), "missing one") + ", aligned " + count(report.aligned(), "row")
                        + "."));
    }

    private static CommandResult based(MigrationReport report) {
        return new CommandResult(
                CommandResult.DONE,
                Json.object("warnings", report.warnings()),
                List.of("The history begins with a baseline."));
    }

    private static CommandResult cleaned() {
        return new CommandResult(CommandResult.DONE, Json.object(), List.of("All objects are dropped."));
    }

    static String count(List<?> of, String what) {
        return Printable.count(of.size(), what);
    }
}
