package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.ValidationProblem;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import dev.r2dbcengine.migrate.ValidationReport;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the problem of each migration by Flyway's rules: at most one, by the first rule that applies. */
record Validator(History history, PlanOptions options) {

    private static final Set<MigrationState> OUT_OF_SCOPE =
            Set.of(MigrationState.UNDONE, MigrationState.ABOVE_TARGET, MigrationState.DELETED);

    /** Stored instead of an empty description in databases without empty text. */
    private static final String NO_DESCRIPTION = "<< no description >>";

    ValidationReport validate(List<MigrationStatus> migrations) {
        return new ValidationReport(migrations.stream()
                .flatMap(migration -> problem(migration).stream())
                .toList());
    }

    private Optional<ValidationProblem> problem(MigrationStatus migration) {
        MigrationState state = migration.state();
        if (OUT_OF_SCOPE.contains(state) || options.ignore().matches(migration.version() != null, state)) {
            return Optional.empty();
        }
        if (state.failed() && !(state == MigrationState.FUTURE_FAILED && ignoresAll(MigrationState.FUTURE_SUCCESS))) {
            return problem(
                    Kind.FAILED,
                    migration,
                    "The " + title(migration) + " has failed half-way (" + migration.script() + ")",
                    "Undo by hand what it has done, then repair the history");
        }
        if (!options.cherryPick().picksAll()
                && !options.cherryPick().picks(migration.version(), migration.description())) {
            return Optional.empty();
        }
        return migration.applied() == null
                ? notApplied(migration)
                : applied(migration, migration.applied(), FoundMigration.of(migration));
    }

    private boolean ignoresAll(MigrationState state) {
        return options.ignore().matchesAll(state);
    }

    private Optional<ValidationProblem> notApplied(MigrationStatus migration) {
        String what = "The " + title(migration) + " was found, but not applied";
        if (migration.state() == MigrationState.IGNORED && isTooLate(migration)) {
            return problem(
                    Kind.NOT_APPLIED,
                    migration,
                    what + ", since a newer version was",
                    "Give it a newer version, or allow outOfOrder, or ignore '*:ignored'");
        }
        if (migration.state() == MigrationState.PENDING) {
            return problem(Kind.NOT_APPLIED, migration, what, "Run the migrations, or ignore '*:pending'");
        }
        return Optional.empty();
    }

    /** Returns whether a versioned migration is below the newest applied version, unless its settings disable it. */
    private boolean isTooLate(MigrationStatus migration) {
        FoundMigration found = FoundMigration.of(migration);
        return found != null
                && found.kind() == MigrationKind.VERSIONED
                && found.content().executes();
    }

    private Optional<ValidationProblem> applied(
            MigrationStatus migration, AppliedMigration row, @Nullable FoundMigration found) {
        if (found == null) {
            return missing(migration, row);
        }
        if (migration.state() == MigrationState.OUTDATED && !ignoresAll(MigrationState.PENDING)) {
            return problem(
                    Kind.OUTDATED,
                    migration,
                    "The " + title(migration) + " has changed since it was applied",
                    "Run the migrations");
        }
        boolean covered = row.version() != null && !row.version().newerThan(history.baseline());
        return covered || History.isDelete(row) || row.type().undo()
                ? Optional.empty()
                : mismatch(migration, row, found);
    }

    private Optional<ValidationProblem> missing(MigrationStatus migration, AppliedMigration row) {
        MigrationState state = migration.state();
        boolean ignored = row.type().synthetic()
                || row.type().undo()
                || state == MigrationState.SUPERSEDED
                || state == MigrationState.FUTURE_FAILED;
        return ignored
                ? Optional.empty()
                : problem(
                        Kind.MISSING,
                        migration,
                        "The " + title(migration) + " (" + row.script() + ") was applied, but is not found",
                        "Bring it back; or repair the history, to mark it as deleted");
    }

    private Optional<ValidationProblem> mismatch(
            MigrationStatus migration, AppliedMigration row, FoundMigration found) {
        if (!found.type().equals(row.type())) {
            return mismatch(Kind.TYPE_MISMATCH, "type", migration, row.type(), found.type());
        }
        if (row.version() != null && changed(row.checksum(), found)) {
            return mismatch(Kind.CHECKSUM_MISMATCH, "checksum", migration, row.checksum(), found.checksum());
        }
        String described = row.description().equals(NO_DESCRIPTION) ? "" : row.description();
        return described.equals(FoundIndex.cut(found.description()))
                ? Optional.empty()
                : mismatch(Kind.DESCRIPTION_MISMATCH, "description", migration, row.description(), found.description());
    }

    /** Returns whether the checksums differ; false if one of the two is missing. */
    private static boolean changed(@Nullable Integer applied, FoundMigration found) {
        return applied != null && found.checksum() != null && !found.content().matches(applied);
    }

    private static Optional<ValidationProblem> mismatch(
            Kind kind, String what, MigrationStatus migration, @Nullable Object applied, @Nullable Object found) {
        return problem(
                kind,
                migration,
                "The " + title(migration) + " was applied with " + what + " " + applied + ", and is found with " + found
                        + " in " + FoundMigration.of(migration),
                "Take the change back; or repair the history, to accept it");
    }

    private static Optional<ValidationProblem> problem(
            Kind kind, MigrationStatus migration, String what, String remedy) {
        return Optional.of(new ValidationProblem(kind, migration, what, remedy));
    }

    private static String title(MigrationStatus migration) {
        return FileName.title(migration.version(), migration.description());
    }
}
