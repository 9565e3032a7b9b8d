package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.LostLockException;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Describes the failure of a migration and its effects.
 *
 * @param before the progress before it
 * @param others migrations that started before it and are not complete either
 * @param rolledBack the part that was rolled back; null if none was
 * @param isMarked whether the history lists it as failed, if it was not rolled back
 */
record StepFailure(
        RunConnection run,
        HistoryTable table,
        HistoryRecorder recording,
        MigrationStep step,
        RunProgress before,
        List<MigrationStep> others,
        @Nullable String rolledBack,
        boolean isMarked) {

    static MigrationException unreadable(MigrationStep step, RunProgress before, ScriptException e) {
        return new MigrationException(
                e.getMessage() + ". Nothing of it was done. " + before.before(),
                before.all(),
                step.migration(),
                e.line(),
                null,
                e);
    }

    static MigrationException outsideTransaction(MigrationStep step, RunProgress before) {
        return new MigrationException(
                step.place() + ": " + step.title() + " cannot run in a transaction, which is what holds the lock with"
                        + " lock(TRANSACTION). Nothing of it was done: run it with lock(SESSION), on a connection that is"
                        + " not through the proxy. " + before.before(),
                before.all(),
                step.migration(),
                0,
                null,
                null);
    }

    /** Returns the error of a group that completed, but of which a script rolled back a part. */
    static MigrationException takenBack(MigrationStep by, List<MigrationStep> gone, RunProgress before) {
        return new MigrationException(
                by.migration().origin() + ": " + by.title()
                        + " ended the transaction of the group itself, and with it went"
                        + " rows of the history. Not " + before.done() + ": " + names(gone)
                        + ". Leave COMMIT and ROLLBACK out of scripts that run in a transaction, and run again with"
                        + " outOfOrder(true). "
                        + before.staying(),
                before.all(),
                by.migration(),
                0,
                null,
                null);
    }

    private static String names(List<MigrationStep> steps) {
        return steps.stream().map(step -> step.migration().script()).collect(Collectors.joining(", "));
    }

    /** Returns the error of a run in which no step had started. */
    static Throwable idle(RunConnection run, RunProgress before, Throwable e) {
        String message = "The connection of the run was lost, and the lock with it, while no migration ran. "
                + before.staying() + " Run again";
        return run.isLost(e) ? new MigrationException(message, before.all(), null, 0, null, e) : e;
    }

    Mono<Throwable> told(Throwable e) {
        return e instanceof CancellationException || e instanceof MigrationException
                ? Mono.just(e)
                : outcome(e).map(outcome -> exception(outcome, e));
    }

    private MigrationException exception(String outcome, Throwable e) {
        return e instanceof CallbackFailure callback
                ? exception(callback.getMessage() + step.title() + outcome, callback.statement(), callback.getCause())
                : exception(
                        step.place() + ": " + step.title() + " failed" + outcome,
                        step.body().current(),
                        e);
    }

    private MigrationException exception(String what, @Nullable ScriptStatement at, @Nullable Throwable cause) {
        return new MigrationException(
                what + " " + before.before()
                        + (others.isEmpty()
                                ? ""
                                : " Begun before it and not " + before.done() + ": " + names(others) + "."),
                before.all(),
                step.migration(),
                at == null ? 0 : at.line(),
                at == null ? null : at.text(),
                cause);
    }

    private Mono<String> outcome(Throwable e) {
        if (run.isLost(e)) {
            return new ConnectionLossReport(run, table, recording)
                    .whatBecameOf(step)
                    .map(": the connection was lost. "::concat);
        }
        if (e instanceof LostLockException) {
            return Mono.just(": " + e.getMessage() + ". "
                    + (rolledBack == null
                            ? "Nothing of it was done."
                            : "All that " + rolledBack + " did was rolled back."));
        }
        if (rolledBack != null) {
            return Mono.just(". All that " + rolledBack
                    + " did was rolled back, and nothing of it is recorded: correct it, and run again.");
        }
        return !isMarked
                ? Mono.just(
                        ". It ended its transaction itself: what it did before that stays, and the history does not have"
                                + " it: undo by hand what it did, correct it, and run again.")
                : leftovers().map((". " + recording.leftHalfDone())::concat);
    }

    /** Describes unusable objects that statements outside a transaction have left. */
    private Mono<String> leftovers() {
        String text = table.text(MigrationSql.INVALID_INDEXES);
        return text.isEmpty()
                ? Mono.just("")
                : run.engine()
                        .sql(text)
                        .map(String.class)
                        .all()
                        .collectList()
                        .map(names -> names.isEmpty()
                                ? ""
                                : (names.size() == 1
                                                ? " An invalid index is left, which slows writes and serves"
                                                : " Invalid indexes are left, which slow writes and serve")
                                        + " no query: drop "
                                        + String.join(", ", names) + " first.")
                        .onErrorReturn("");
    }
}
