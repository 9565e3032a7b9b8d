package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.ValidationProblem;
import dev.r2dbcengine.migrate.ValidationReport;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A table of migrations, followed by the problems and the numbers. */
final class Listing {

    private static final List<String> HEAD = List.of("Version", "Description", "Type", "Installed on", "State");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private Listing() {}

    static List<String> of(List<MigrationStatus> migrations, ValidationReport validation, Shell shell) {
        List<String> lines = new ArrayList<>(
                new Table(HEAD, migrations.stream().map(Listing::row).toList()).lines(shell.width(), shell.ellipsis()));
        int firstRow = lines.size() - migrations.size();
        for (int i = 0; i < migrations.size(); i++) {
            lines.set(
                    firstRow + i,
                    coloured(lines.get(firstRow + i), migrations.get(i).state(), shell));
        }
        long pending = migrations.stream()
                .filter(migration -> migration.state() == MigrationState.PENDING)
                .count();
        lines.addAll(problems(validation));
        lines.add(Tasks.count(migrations, "migration") + ", " + pending + " pending.");
        return lines;
    }

    static List<String> problems(ValidationReport report) {
        return report.problems().stream()
                .map(ValidationProblem::message)
                .map(Wording::of)
                .toList();
    }

    private static List<String> row(MigrationStatus migration) {
        AppliedMigration applied = migration.applied();
        return List.of(
                Objects.toString(migration.version(), ""),
                migration.description(),
                migration.type().name(),
                applied == null ? "" : TIME.format(applied.installedOn()),
                migration.state().displayName());
    }

    /** Colors the whole line, since the state at its end may be cut off. */
    private static String coloured(String line, MigrationState state, Shell shell) {
        return shell.coloured(colour(state), line);
    }

    private static Colour colour(MigrationState state) {
        if (state.failed()) {
            return Colour.RED;
        }
        return switch (state) {
            case SUCCESS, BASELINE -> Colour.GREEN;
            case PENDING, OUTDATED -> Colour.YELLOW;
            default -> Colour.FAINT;
        };
    }
}
