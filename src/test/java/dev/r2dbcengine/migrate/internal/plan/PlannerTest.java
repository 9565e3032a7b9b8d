package dev.r2dbcengine.migrate.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MemorySource;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.ValidationProblem;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features that the free edition of Flyway does not have, so it cannot be the judge. */
class PlannerTest {

    private static final LocalDateTime THEN = LocalDateTime.of(2026, 11, 28, 1, 32);

    private static List<FoundMigration> found(MemorySource source) throws IOException {
        return MigrationFinder.find(
                        List.of(source), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY.values(Map.of("env", "test")))
                .migrations();
    }

    private static List<FoundMigration> found(String... names) throws IOException {
        return found(MemorySource.of(names));
    }

    private static AppliedMigration row(int rank, @Nullable String version, String description, String type) {
        return new AppliedMigration(
                rank,
                version == null ? null : MigrationVersion.of(version),
                description,
                MigrationType.of(type),
                "a script",
                null,
                "someone",
                THEN,
                Duration.ZERO,
                true);
    }

    private static AppliedMigration failed(AppliedMigration row) {
        return new AppliedMigration(
                row.rank(),
                row.version(),
                row.description(),
                row.type(),
                row.script(),
                row.checksum(),
                row.installedBy(),
                row.installedOn(),
                row.executionTime(),
                false);
    }

    private static Stream<String> states(MigrationPlan plan) {
        return plan.migrations().stream()
                .map(migration -> migration.type() + " "
                        + (migration.version() == null ? migration.description() : migration.version()) + " "
                        + migration.state());
    }

    @Test
    void cherryPicksKeepTheirOrder() throws IOException {
        List<FoundMigration> found =
                found("V1__a.sql", "V2__b.sql", "V4__d.sql", "B4__d.sql", "U4__d.sql", "R__one_view.sql", "R__two.sql");
        List<AppliedMigration> applied = List.of(row(1, "3", "c", "SQL"));
        MigrationPlan plan =
                Planner.plan(found, applied, PlanOptions.DEFAULT.target("1").cherryPick("4", "one_view", "2.0"));
        assertThat(plan.pending())
                .extracting(MigrationStatus::script)
                .containsExactly("V4__d.sql", "R__one_view.sql", "V2__b.sql");
        assertThat(states(plan))
                .contains(
                        "SQL 1 Ignored",
                        "SQL_BASELINE 4 Ignored",
                        "UNDO_SQL 4 Ignored",
                        "SQL two Ignored",
                        "SQL 3 Missing");
        assertThat(plan.validation().problems())
                .extracting(problem -> problem.migration().script())
                .as("only what is picked is looked at")
                .containsExactly("V4__d.sql", "R__one_view.sql", "V2__b.sql");
    }

    @Test
    void unmatchedCherryPickIsRefused() throws IOException {
        List<FoundMigration> found = found("V1__a.sql");
        assertThatThrownBy(() -> Planner.plan(found, List.of(), PlanOptions.DEFAULT.cherryPick("1", "7")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("'7'", "picked");
    }

    @Test
    void missingTargetIsRefused() throws IOException {
        List<FoundMigration> found = found("V1__a.sql", "R__b.sql");
        assertThatThrownBy(() -> Planner.plan(found, List.of(), PlanOptions.DEFAULT.target("7")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("target version 7", "7?");
    }

    @Test
    void undoIsAvailableWhileItsVersionIsApplied() throws IOException {
        List<FoundMigration> found = found("V1__a.sql", "U1__a.sql", "V2__b.sql", "U2__b.sql", "U7__no_version.sql");
        MigrationPlan plan =
                Planner.plan(found, List.of(row(1, "1", "a", "SQL")), PlanOptions.DEFAULT.ignore("*:pending"));
        assertThat(states(plan))
                .containsExactly(
                        "SQL 1 Success",
                        "UNDO_SQL 1 Available",
                        "SQL 2 Pending",
                        "UNDO_SQL 2 Ignored",
                        "UNDO_SQL 7 Ignored");
        assertThat(plan.validation().valid()).isTrue();
    }

    @Test
    void undoneVersionIsPending() throws IOException {
        List<FoundMigration> found = found("V1__a.sql", "U1__a.sql", "V2__b.sql");
        List<AppliedMigration> applied = List.of(
                row(1, "1", "a", "SQL"),
                row(2, "1", "a", "UNDO_SQL"),
                row(3, "1", "a", "SQL"),
                row(4, "1", "a", "UNDO_SQL"),
                failed(row(5, "1", "a", "UNDO_SQL")));
        MigrationPlan plan = Planner.plan(found, applied, PlanOptions.DEFAULT);
        assertThat(states(plan))
                .containsExactly(
                        "SQL 1 Undone",
                        "UNDO_SQL 1 Success",
                        "SQL 1 Undone",
                        "UNDO_SQL 1 Success",
                        "UNDO_SQL 1 Failed",
                        "SQL 1 Pending",
                        "UNDO_SQL 1 Ignored",
                        "SQL 2 Pending");
        assertThat(Planner.plan(
                                found("V2__b.sql"),
                                List.of(row(1, "1", "a", "UNDO_SQL")),
                                PlanOptions.DEFAULT.ignore("*:pending"))
                        .validation()
                        .problems())
                .isEmpty();
    }

    @Test
    void rowOfUnknownTypeIsAccepted() throws IOException {
        List<AppliedMigration> applied = List.of(row(1, "1", "a", "SQL"), row(2, "2", "b", "Made_Up"));
        assertThat(states(Planner.plan(found("V1__a.sql", "V3__c.sql"), applied, PlanOptions.DEFAULT)))
                .containsExactly("SQL 1 Success", "MADE_UP 2 Missing", "SQL 3 Pending");
    }

    @Test
    void flywaysMarkerRowsAreNotMigrations() throws IOException {
        List<AppliedMigration> applied = List.of(
                row(1, "1", "a", "SQL"), row(-1, null, "locks the table", "TABLE"), row(2, null, "mark", "TABLE"));
        assertThat(states(Planner.plan(found("V1__a.sql"), applied, PlanOptions.DEFAULT)))
                .containsExactly("SQL 1 Success");
    }

    @Test
    void scriptThatShouldNotExecuteIsIgnored() throws IOException {
        MemorySource source = MemorySource.of("V1__a.sql", "V2__b.sql", "R__c.sql")
                .with("V1__a.sql.conf", "shouldExecute=${env}==prod")
                .with("V2__b.sql.conf", "shouldExecute=${env}==test")
                .with("R__c.sql.conf", "shouldExecute=false");
        MigrationPlan plan = Planner.plan(found(source), List.of(), PlanOptions.DEFAULT.ignore("*:pending"));
        assertThat(states(plan)).containsExactly("SQL 1 Ignored", "SQL 2 Pending", "SQL c Ignored");
        assertThat(plan.validation().valid()).isTrue();
    }

    @Test
    void longDescriptionIsMatchedByItsStoredPrefix() throws IOException {
        String description = "x".repeat(201);
        List<FoundMigration> found = found("R__" + description + ".sql");
        AppliedMigration row = new AppliedMigration(
                1,
                null,
                "x".repeat(197) + "...",
                MigrationType.SQL,
                "a script",
                found.get(0).checksum(),
                "someone",
                THEN,
                Duration.ZERO,
                true);
        MigrationPlan plan = Planner.plan(found, List.of(row), PlanOptions.DEFAULT);
        assertThat(plan.migrations()).extracting(MigrationStatus::state).containsExactly(MigrationState.SUCCESS);
        assertThat(plan.validation().valid()).isTrue();
    }

    @Test
    void descriptionThatCannotBeStoredIsEmpty() throws IOException {
        List<AppliedMigration> applied = List.of(row(1, "1", "<< no description >>", "SQL"));
        assertThat(Planner.plan(found("V1.sql"), applied, PlanOptions.DEFAULT)
                        .validation()
                        .valid())
                .isTrue();
        assertThat(Planner.plan(found("V1__a.sql"), applied, PlanOptions.DEFAULT)
                        .validation()
                        .problems())
                .extracting(ValidationProblem::kind)
                .containsExactly(ValidationProblem.Kind.DESCRIPTION_MISMATCH);
    }

    @Test
    void problemsContainTheRemedy() throws IOException {
        List<AppliedMigration> applied =
                List.of(row(1, "1", "renamed", "SQL"), failed(row(2, "2", "b", "SQL")), row(3, "3", "c", "SQL"));
        MigrationPlan plan =
                Planner.plan(found("V1__a.sql", "V2__b.sql", "V2.5__x.sql", "V4__d.sql"), applied, PlanOptions.DEFAULT);
        assertThat(plan.validation().problems())
                .extracting(ValidationProblem::message)
                .containsExactly(
                        "The migration to version 1 was applied with description renamed, and is found with a in"
                                + " V1__a.sql. Take the change back; or repair the history, to accept it.",
                        "The migration to version 2 has failed half-way (a script). Undo by hand what it has done, then"
                                + " repair the history.",
                        "The migration to version 3 (a script) was applied, but is not found. Bring it back; or repair"
                                + " the history, to mark it as deleted.",
                        "The migration to version 2.5 was found, but not applied, since a newer version was. Give it a"
                                + " newer version, or allow outOfOrder, or ignore '*:ignored'.",
                        "The migration to version 4 was found, but not applied. Run the migrations, or ignore"
                                + " '*:pending'.");
    }

    @Test
    void secondDeleteOfAVersionNamesItsRow() {
        List<AppliedMigration> applied =
                List.of(row(1, "1", "a", "SQL"), row(2, "1", "a", "DELETE"), row(3, "1", "a", "DELETE"));
        assertThatThrownBy(() -> Planner.plan(List.of(), applied, PlanOptions.DEFAULT))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("twice", "version 1", "rank 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "*:lost", "both:missing", "*:missing:x", ""})
    void invalidPatternIsRefused(String pattern) {
        assertThatThrownBy(() -> PlanOptions.DEFAULT.ignore(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + pattern + "'", "[*, repeatable, versioned]", "missing");
    }

    @Test
    void statusNeedsMigrationOrRow() {
        assertThatThrownBy(() -> new MigrationStatus(MigrationState.PENDING, null, null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
