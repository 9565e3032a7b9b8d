package dev.r2dbcengine.cli;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.LockHolder;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.ResolvedMigration;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Prints the progress of a run to the standard error: a line for each finished migration and, on a terminal, a progress
 * bar below. The standard output contains only the result.
 */
final class Progress implements MigrationListener {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final String CLEAR = "\r\u001b[K";
    private static final int MAX_BAR = 24;

    private final Shell shell;
    private final boolean quiet;
    private final int width;
    private final CountDownLatch ended = new CountDownLatch(1);
    private int total;
    private int done;
    private long since;
    private @Nullable ResolvedMigration current;
    private @Nullable LockWait awaited;
    private @Nullable Disposable ticks;
    private volatile Mono<Void> cancelStatement = Mono.empty();

    /** Prints only warnings and waits when it is quiet. */
    Progress(Shell shell, boolean quiet) {
        this.shell = shell;
        this.quiet = quiet;
        this.width = shell.terminal() && !quiet ? shell.width() : 0;
    }

    @Override
    public void connected(Mono<Void> cancel) {
        cancelStatement = cancel;
    }

    @Override
    public synchronized void planned(MigrationPlan plan) {
        total = plan.pending().size();
        endWait();
    }

    @Override
    public synchronized void started(ResolvedMigration migration) {
        current = migration;
        since = System.nanoTime();
        awaited = null;
        startTicks();
    }

    private void startTicks() {
        if (width > 0 && ticks == null) {
            ticks = Flux.interval(Duration.ZERO, TICK).subscribe(tick -> draw());
        }
    }

    @Override
    public synchronized void applied(ResolvedMigration migration, Duration duration) {
        done++;
        current = null;
        printFinished(Colour.GREEN, "applied", migration, duration);
    }

    @Override
    public synchronized void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
        current = null;
        printFinished(Colour.RED, "failed", migration, duration);
    }

    private void printFinished(Colour colour, String outcome, ResolvedMigration migration, Duration duration) {
        if (!quiet) {
            print(shell.coloured(colour, outcome) + " " + Printable.line(migration.script()) + " in "
                    + seconds(duration));
        }
    }

    @Override
    public void connectionAwaited(Duration waited, Throwable failure) {
        print("waiting for the database for " + seconds(waited) + ": " + MigrationListener.describe(failure));
    }

    @Override
    public synchronized void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
        LockWait wait = new LockWait(
                Printable.line(table),
                System.nanoTime() - waited.toNanos(),
                holder == null ? "another run" : holder.toString());
        if (width == 0) {
            print(wait.text(waited));
        } else {
            awaited = wait;
            startTicks();
        }
    }

    /** A wait for the lock of a run. */
    private record LockWait(String table, long since, String holder) {
        String text(Duration waited) {
            return "waiting for the lock of " + table + " for " + seconds(waited) + ": held by " + holder;
        }
    }

    @Override
    public void warned(String warning) {
        print(shell.coloured(Colour.YELLOW, "warning") + " " + Printable.line(warning));
    }

    @Override
    public void cleanupFailed(String call, Throwable failure) {
        warned("after the run, the " + call + " failed: " + Dialect.describe(failure));
    }

    @Override
    public synchronized void ended() {
        if (ticks != null) {
            ticks.dispose();
            ticks = null;
            shell.err().print(CLEAR);
            shell.err().flush();
        }
        ended.countDown();
    }

    /** Asks the database to cancel the statement that the run waits for; empty before it has a connection. */
    Mono<Void> cancelStatement() {
        return Mono.defer(() -> cancelStatement);
    }

    /** Returns a latch that is released when a run has ended. */
    CountDownLatch end() {
        return ended;
    }

    /** Removes the line of a wait that has ended. */
    private void endWait() {
        if (awaited != null) {
            awaited = null;
            shell.err().print(CLEAR);
            shell.err().flush();
        }
    }

    /** Prints a line in place of the bar, which the next tick draws again. */
    private synchronized void print(String line) {
        shell.err().println((ticks == null ? "" : CLEAR) + line);
    }

    private synchronized void draw() {
        LockWait wait = awaited;
        if (wait != null && ticks != null) {
            String text = wait.text(Duration.ofNanos(System.nanoTime() - wait.since()));
            shell.err().print(CLEAR + Table.cut(text, width - 1, shell.ellipsis()));
            shell.err().flush();
            return;
        }
        ResolvedMigration now = current;
        if (now != null && ticks != null) {
            String time = seconds(Duration.ofNanos(System.nanoTime() - since));
            shell.err()
                    .print(CLEAR
                            + bar(done, total, width, Printable.line(now.script()) + "  " + time, shell.ellipsis()));
            shell.err().flush();
        }
    }

    /** Leaves the last column empty, since terminals wrap a full line. */
    static String bar(int done, int total, int width, String text, String ellipsis) {
        int length = Math.min(MAX_BAR, width / 3);
        int full = total == 0 ? 0 : length * done / total;
        String line = "[" + "#".repeat(full) + ".".repeat(length - full) + "] " + (done + 1)
                + (total == 0 ? "" : "/" + total) + "  " + text;
        return Table.cut(line, width - 1, ellipsis);
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1e3);
    }
}
