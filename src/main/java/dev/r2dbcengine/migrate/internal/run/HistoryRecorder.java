package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.internal.history.HistoryWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Writes the history rows of migrations. */
interface HistoryRecorder {

    /** Returns a recorder on another connection. */
    HistoryRecorder on(Engine other);

    /** Returns the rank of the row of a step. */
    int rank(int step);

    /** Returns a recorder of steps whose COMMIT does not wait until the server has flushed its log, if there is one. */
    default HistoryRecorder unflushed() {
        return this;
    }

    /** Records a step in its own transaction, after its last statement. */
    Mono<Void> together(MigrationStep step, Duration time);

    /**
     * Records a step that cannot be rolled back as failed before it starts, so that even a killed process leaves a
     * record.
     */
    Mono<Void> begun(MigrationStep step);

    /** Records such a step as applied. */
    Mono<Void> ended(MigrationStep step, Duration time);

    /** Finds the row of a step. */
    Optional<AppliedMigration> row(List<AppliedMigration> rows, MigrationStep step);

    /** Returns whether the row, or its absence, means that a step is complete. */
    boolean isDone(Optional<AppliedMigration> row);

    /** Describes the state of a step by its row, null if there is none. */
    String outcome(@Nullable AppliedMigration row);

    /** Describes the effects of a step that failed without a transaction, and the remedy. */
    String leftHalfDone();

    /** Inserts a row for each migration. */
    record Applied(HistoryWriter writer, int first) implements HistoryRecorder {
        @Override
        public HistoryRecorder on(Engine other) {
            return new Applied(writer.on(other), first);
        }

        @Override
        public boolean isDone(Optional<AppliedMigration> row) {
            return row.filter(AppliedMigration::success).isPresent();
        }

        @Override
        public int rank(int step) {
            return first + step;
        }

        @Override
        public HistoryRecorder unflushed() {
            return new Applied(writer.unflushed(), first);
        }

        @Override
        public Mono<Void> together(MigrationStep step, Duration time) {
            return writer.insert(step.rank(), step.migration(), time, true);
        }

        @Override
        public Mono<Void> begun(MigrationStep step) {
            return writer.insert(step.rank(), step.migration(), Duration.ZERO, false);
        }

        @Override
        public Mono<Void> ended(MigrationStep step, Duration time) {
            return writer.unconditional().mark(step.rank(), true, time);
        }

        @Override
        public Optional<AppliedMigration> row(List<AppliedMigration> rows, MigrationStep step) {
            String script = HistoryWriter.cutScript(step.migration().script());
            return rows.stream()
                    .filter(row -> row.rank() >= step.rank() && row.script().equals(script))
                    .findFirst();
        }

        @Override
        public String outcome(@Nullable AppliedMigration row) {
            if (row == null) {
                return "The history does not have it, and what it did was rolled back: run again.";
            }
            return row.success()
                    ? "The history has it as applied, with all that it did: run again for what follows."
                    : leftHalfDone();
        }

        @Override
        public String leftHalfDone() {
            return "Its effects may remain, and the history has it as failed: revert them, correct the script, call"
                    + " repair(), and run again.";
        }
    }

    /** Deletes the row of each undone version. */
    record Undone(HistoryWriter writer, List<AppliedMigration> rows) implements HistoryRecorder {
        @Override
        public HistoryRecorder on(Engine other) {
            return new Undone(writer.on(other), rows);
        }

        @Override
        public boolean isDone(Optional<AppliedMigration> row) {
            return row.isEmpty();
        }

        @Override
        public int rank(int step) {
            return rows.get(step).rank();
        }

        @Override
        public Mono<Void> together(MigrationStep step, Duration time) {
            return writer.remove(step.rank());
        }

        @Override
        public Mono<Void> begun(MigrationStep step) {
            return writer.mark(step.rank(), false, Duration.ZERO);
        }

        @Override
        public Mono<Void> ended(MigrationStep step, Duration time) {
            return writer.unconditional().remove(step.rank());
        }

        @Override
        public Optional<AppliedMigration> row(List<AppliedMigration> rows, MigrationStep step) {
            return rows.stream().filter(row -> row.rank() == step.rank()).findFirst();
        }

        @Override
        public String outcome(@Nullable AppliedMigration row) {
            if (row == null) {
                return "The history does not have the version any more, and all that it did is undone: run again for what"
                        + " follows.";
            }
            return row.success()
                    ? "The history still has the version, and what the undo did was rolled back: run again."
                    : leftHalfDone();
        }

        @Override
        public String leftHalfDone() {
            return "Its effects may remain, and the history has the version as failed: revert the rest of it, and call"
                    + " repair(), which removes it from the history.";
        }
    }
}
