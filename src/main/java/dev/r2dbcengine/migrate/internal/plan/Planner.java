package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.MigrationSource;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans a run: a pure function of the migrations that were found, the history and the options. The result is that of
 * {@code info} and {@code validate} of Flyway 13, row by row, including quirks such as a B migration above the target that
 * starts an empty history. It differs by design in these cases:
 *
 * <table>
 * <caption>Differences</caption>
 * <tr><th>what</th><th>Flyway, free</th><th>here</th></tr>
 * <tr><td>{@code U} files</td><td>left out as badly named</td><td>{@code Available} while their version is applied, else
 * {@code Ignored}; never a problem</td></tr>
 * <tr><td>rows of type {@code UNDO_…}</td><td>refuses the history</td><td>the version they name is {@code Undone}, and
 * pending again</td></tr>
 * <tr><td>rows of an unknown type</td><td>refuses the history</td><td>rows like others</td></tr>
 * <tr><td>{@code validate} with {@code baselineOnMigrate}, before the first run</td><td>forgets the baseline</td><td>sees
 * what {@code info} sees</td></tr>
 * <tr><td>{@code migrate} with {@code baselineOnMigrate}, where it creates a schema, too</td><td>forgets the
 * baseline</td><td>does what {@code info} sees</td></tr>
 * <tr><td>{@code cherryPick}, {@code shouldExecute}</td><td>not in the free edition</td><td>work</td></tr>
 * <tr><td>{@code V2_x.sql}, {@code V__x.sql}, {@code R1__x.sql}</td><td>left out, unless
 * {@code validateMigrationNaming}</td><td>an error</td></tr>
 * <tr><td>other SQL files in a location</td><td>left out with a count</td><td>a warning that names each</td></tr>
 * <tr><td>{@code V-1__x.sql}</td><td>version -1</td><td>no version</td></tr>
 * <tr><td>a repeatable with more than 200 characters of description</td><td>applied by each run</td><td>found by what the
 * table has kept of it</td></tr>
 * <tr><td>{@code encoding} in the {@code .conf} of a script on the class path</td><td>not read for the
 * checksum</td><td>read</td></tr>
 * <tr><td>classes in a location, and {@code V2__x.sh} and its like</td><td>run</td><td>a warning; code is given to a
 * {@link MigrationSource}</td></tr>
 * <tr><td>a jar without entries for directories</td><td>{@code db/migrations} is found in {@code db/migration}
 * too</td><td>only what is below</td></tr>
 * <tr><td>a location that ends in {@code **}</td><td>finds nothing</td><td>finds all below</td></tr>
 * <tr><td>a link out of a directory</td><td>followed</td><td>an error</td></tr>
 * </table>
 */
public final class Planner {

    /** Versions in ascending order, a baseline after its version and an undo after both; then repeatables. */
    public static final Comparator<FoundMigration> ORDER = Comparator.comparing(
                    FoundMigration::version, Comparator.nullsLast(Comparator.<MigrationVersion>naturalOrder()))
            .thenComparing(FoundMigration::kind)
            .thenComparing(FoundMigration::description);

    /** The states of migrations that a baseline covers. */
    private static final Set<MigrationState> COVERED =
            EnumSet.of(MigrationState.BELOW_BASELINE, MigrationState.BASELINE_IGNORED);

    private final FoundIndex found;
    private final History history;
    private final PlanOptions options;

    private Planner(FoundIndex found, History history, PlanOptions options) {
        this.found = found;
        this.history = history;
        this.options = options;
    }

    public static MigrationPlan plan(List<FoundMigration> found, List<AppliedMigration> applied, PlanOptions options) {
        History history = new History(applied, options.baselineOnMigrate());
        Planner planner = new Planner(new FoundIndex(found, history), history, options);
        planner.refuseUnknown();
        List<MigrationStatus> migrations = planner.migrations();
        return new MigrationPlan(migrations, new Validator(history, options).validate(migrations), null);
    }

    /** Rejects a target or a pick that matches no migration, which is probably a typing error. */
    private void refuseUnknown() {
        MigrationVersion target = options.target().version();
        if (target != null && options.target().required() && !isKnown(target)) {
            throw new InvalidMigrationException(
                    "There is no migration of the target version " + target + ". Name one that there is, or write "
                            + target + "? to stop there all the same",
                    target.toString());
        }
        for (String pick : options.cherryPick().picks()) {
            if (found.all().stream().noneMatch(new CherryPick(List.of(pick))::picks)) {
                throw new InvalidMigrationException(
                        "No migration that was found has the version or the description '" + pick
                                + "', which is to be picked. Write a version such as 1.2, or the description of a"
                                + " repeatable migration",
                        pick);
            }
        }
    }

    private boolean isKnown(MigrationVersion version) {
        return Stream.concat(
                        found.all().stream().map(FoundMigration::version),
                        history.entries().stream().map(entry -> entry.row.version()))
                .anyMatch(version::equals);
    }

    private List<MigrationStatus> migrations() {
        List<MigrationStatus> migrations = migrations(null);
        if (options.target().kind() != MigrationTarget.Kind.NEXT) {
            return migrations;
        }
        return migrations(migrations.stream()
                .filter(migration -> migration.state() == MigrationState.PENDING)
                .findFirst()
                .map(MigrationStatus::version)
                .orElse(null));
    }

    private List<MigrationStatus> migrations(@Nullable MigrationVersion next) {
        StateRules rules = new StateRules(found, history, options, next);
        List<MigrationStatus> before = new ArrayList<>();
        List<MigrationStatus> after = new ArrayList<>();
        found.unapplied().stream()
                .sorted(options.cherryPick().order().thenComparing(ORDER))
                .map(migration -> new MigrationStatus(rules.unapplied(migration), migration, null))
                .forEach(status -> (COVERED.contains(status.state()) ? before : after).add(status));
        history.entries().forEach(entry -> {
            FoundMigration migration = found.of(entry.row);
            before.add(new MigrationStatus(rules.applied(entry, migration), migration, entry.row));
        });
        before.addAll(after);
        return before;
    }
}
