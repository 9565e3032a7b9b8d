package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.RepairReport;
import dev.r2dbcengine.migrate.internal.history.HistoryWriter;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.plan.FoundIndex;
import dev.r2dbcengine.migrate.internal.plan.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Aligns the history with the migrations that were found, by the rules of Flyway's {@code repair}. */
public record RepairRun(MigrationSettings settings, RunConnection run, MigrationSnapshot look) {

    private static final Set<MigrationState> GONE =
            EnumSet.of(MigrationState.MISSING_SUCCESS, MigrationState.FUTURE_SUCCESS);

    private static final Set<MigrationState> SETTLED = EnumSet.of(MigrationState.UNDONE, MigrationState.IGNORED);

    /* Removes failed rows first, as Flyway does; missing migrations are those of the remaining rows. */
    Mono<RepairReport> repair() {
        List<AppliedMigration> failed = look.rows().stream()
                .filter(row -> History.isMigration(row) && !row.success())
                .toList();
        MigrationSnapshot kept = failed.isEmpty() ? look : look.without(failed, settings.planOf(true, false));
        return new RepairRun(settings, run, kept).repair(failed);
    }

    private Mono<RepairReport> repair(List<AppliedMigration> removed) {
        HistoryWriter writer = look.writer(run.engine(), settings);
        List<AppliedMigration> deleted = new ArrayList<>();
        List<AppliedMigration> aligned = new ArrayList<>();
        List<Mono<Void>> steps = new ArrayList<>();
        removed.forEach(row -> steps.add(writer.remove(row.rank())));
        int rank = look.nextRank();
        for (MigrationStatus status : look.plan().migrations()) {
            AppliedMigration row = status.applied();
            if (row == null) {
                continue;
            }
            if (isGone(status, row)) {
                steps.add(writer.markDeleted(rank + deleted.size(), row));
                deleted.add(row);
            } else if (differs(status, row)) {
                aligned.add(row);
                steps.add(writer.align(row.rank(), Objects.requireNonNull(FoundMigration.of(status))));
            }
        }
        return run.unit("the repair")
                .execute(work -> Flux.concat(steps).then())
                .thenReturn(new RepairReport(removed, deleted, aligned));
    }

    private boolean isGone(MigrationStatus status, AppliedMigration row) {
        return GONE.contains(status.state())
                && !row.type().synthetic()
                && !row.type().undo()
                && !settings.plan.ignore().matches(row.version() != null, status.state());
    }

    /**
     * Returns whether a checksum is aligned. A changed repeatable migration runs again instead, unless only
     * placeholders changed.
     */
    private static boolean differs(MigrationStatus status, AppliedMigration row) {
        FoundMigration found = FoundMigration.of(status);
        if (found == null || row.type().synthetic() || SETTLED.contains(status.state())) {
            return false;
        }
        Integer checksum = found.checksum();
        boolean sameSum = Objects.equals(checksum, row.checksum());
        return row.version() == null
                ? !sameSum && found.content().matches(row.checksum())
                : !sameSum || !isSame(found, row);
    }

    private static boolean isSame(FoundMigration found, AppliedMigration row) {
        return found.type().equals(row.type())
                && FoundIndex.cut(found.description()).equals(row.description());
    }

    public static LockedRun.Locked<RepairReport> locked(MigrationSettings settings, RunConnection run) {
        return new CallbackFrame<>(
                CallbackPhase.REPAIR, settings, run, look -> new RepairRun(settings, run, look).repair());
    }

    public static @Nullable RepairReport none(MigrationSnapshot look) {
        return look.exists() ? null : new RepairReport(List.of(), List.of(), List.of());
    }
}
