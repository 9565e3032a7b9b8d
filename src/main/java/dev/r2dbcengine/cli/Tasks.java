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

/** The commands that call a migration runner, and their output. */
final class Tasks {

    private static final String CHECK = "--check";
    private static final String SQL = "--sql";
    private static final String TO = "--to";

    /** Suppresses the warnings of a second read of the scripts, which the first one has already reported. */
    private static final MigrationListener WITHOUT_WARNINGS = new MigrationListener() {
        @Override
        public void warned(String warning) {}
    };

    private Tasks() {}

    static List<Task> all() {
        return List.of(
                new Task(
                        "migrate",
                        Kind.RUN,
                        "Applies pending migrations.",
                        List.of(
                                "--url r2dbc:postgresql://db/shop --ask-password",
                                "--wait 60s --locations filesystem:/scripts",
                                "--target 2.1 --placeholder owner=shop"),
                        List.of(),
                        call -> call.runner().migrate().map(Tasks::migrated)),
                new Task(
                        "info",
                        Kind.READ,
                        "Lists all migrations with their state, such as applied, pending or changed.",
                        List.of("", "--check   # exits with 3 if one is pending or invalid", "--json | jq .pending"),
                        List.of(Options.switched(CHECK, "exit with 3 if a migration is pending or invalid")),
                        call -> call.runner().plan().map(plan -> info(plan, call))),
                new Task(
                        "plan",
                        Kind.READ,
                        "Shows what migrate would do, without changing the database. Exits with 1 if migrate would fail.",
                        List.of("", "--sql > review.sql", "--target next"),
                        List.of(Options.switched(SQL, "print the statements exactly as migrate would send them")),
                        Tasks::plan),
                new Task(
                        "validate",
                        Kind.READ,
                        "Checks that history and scripts match and nothing is pending. Exits with 3 if not.",
                        List.of("", "--ignore-migration-patterns '*:pending'"),
                        List.of(),
                        call -> call.runner().validate().map(Tasks::validated)),
                new Task(
                        "repair",
                        Kind.RUN,
                        "Repairs the history: removes failed rows, marks missing scripts as deleted, aligns checksums.",
                        List.of(""),
                        List.of(),
                        call -> call.runner().repair().map(Tasks::repaired)),
                new Task(
                        "baseline",
                        Kind.RUN_WITHOUT_SCRIPTS,
                        "Starts the history of a database that already has objects.",
                        List.of("--baseline-version 12"),
                        List.of(),
                        call -> call.runner().baseline().map(Tasks::based)),
                new Task(
                        "undo",
                        Kind.RUN,
                        "Undoes versions with their U scripts, the last applied first, down to the version to keep.",
                        List.of("--to 2.1", "--to '0?'   # all of them"),
                        List.of(Options.required(TO, "VERSION", "the newest version to keep; 0? keeps none")),
                        call -> call.runner().undo(call.value(TO)).map(Tasks::undone)),
                new Task(
                        "clean",
                        Kind.RUN_WITHOUT_SCRIPTS,
                        "Drops all objects in the schemas. For test databases.",
                        List.of("--clean-disabled=false"),
                        List.of(),
                        call -> call.runner().clean().then(Mono.fromSupplier(Tasks::cleaned))));
    }

    private static CommandResult migrated(MigrationReport report) {
        return ran(report, "applied", "Nothing was applied: no migration is pending.", "Applied ", "migration");
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
        return runner.listener(WITHOUT_WARNINGS)
                .statements()
                .map(JsonViews::statement)
                .collectList()
                .map(statements -> {
                    Map<String, @Nullable Object> json = Json.object("statements", statements);
                    json.putAll(plan.json());
                    return new CommandResult(plan.exitCode(), json, plan.lines());
                });
    }

    /** Lists the problems of an invalid history; any other refusal is the error that migrate would report. */
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
                report.valid() ? List.of("History and scripts match.") : Listing.problems(report));
    }

    private static CommandResult repaired(RepairReport report) {
        return new CommandResult(
                CommandResult.DONE,
                Json.object(
                        "removed", report.removed().stream().map(JsonViews::row).toList(),
                        "deleted", report.deleted().stream().map(JsonViews::row).toList(),
                        "aligned", report.aligned().stream().map(JsonViews::row).toList()),
                List.of("Removed " + count(report.removed(), "failed row") + ", marked "
                        + count(report.deleted(), "missing row") + " as deleted, aligned "
                        + count(report.aligned(), "row") + "."));
    }

    private static CommandResult based(MigrationReport report) {
        return new CommandResult(
                CommandResult.DONE,
                Json.object("warnings", report.warnings()),
                List.of("The history starts with a baseline."));
    }

    private static CommandResult cleaned() {
        return new CommandResult(CommandResult.DONE, Json.object(), List.of("All objects were dropped."));
    }

    static String count(List<?> items, String noun) {
        return Printable.count(items.size(), noun);
    }
}
