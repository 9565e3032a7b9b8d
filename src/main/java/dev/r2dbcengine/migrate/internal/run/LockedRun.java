package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A run on a dedicated connection, under the lock: {@code migrate}, {@code undo}, {@code repair} and {@code baseline}.
 * In one JVM the runs on one engine do not overlap. The steps, as {@code migrate} takes them on PostgreSQL with a
 * session lock:
 *
 * <pre>
 * step                                          subscriber cancels                connection is lost
 * 1 wait for earlier runs on this engine        ends when its turn comes          -
 * 2 snapshot: history (pooled) and files;       query completes, run ends         driver's error, or a retry
 *     nothing to do: report                                                         within connectTimeout
 * 3 connect; afterConnect callbacks             complete, run ends                driver's error
 * 4 lock, polled without a transaction          ends before the next attempt      MigrationException,
 *                                                                                   "no migration ran"
 * 5 create schemas and history, if missing      completes, run ends               as 4; rolled back by the server
 * 6 snapshot under the lock; plan, validate,    complete; no migration            as 4
 *     beforeMigrate callbacks                     starts
 * 7 per migration:
 *     begin, beforeEachMigrate, statements,     running call completes, then      MigrationException with the
 *     afterEachMigrate, history row               rollback and error callbacks      outcome, read from the history
 *     commit                                    commit completes: applied           on another connection
 * 8 afterMigrate callbacks                      complete, run succeeds            as 4; migrations stay applied
 * 9 unlock; close; replace pooled connections   complete                          ignored: the lock is gone with
 *                                                                                   its session
 * </pre>
 *
 * <p>On H2 step 5 precedes step 4, and a second connection holds the lock ({@link MigrationLock}). With {@link
 * LockScope#TRANSACTION} each migration repeats 4, 6 and 7 in one transaction. Without transactional DDL the row is
 * written as failed before the first statement and updated after the last one: whatever interrupts step 7 leaves the
 * migration recorded as failed.
 *
 * <p>Invariants: Only a snapshot read under the lock decides what is applied; the first snapshot only decides whether
 * a lock is needed. No call that was sent to the driver is cancelled: a cancel sets a flag in {@link RunSubscriber},
 * which the run checks before lock attempts, migrations, statements, history rows and commits. All statements of a run
 * use its one connection, one after the other, except reports on a lost connection, marks of an ended transaction and
 * the row lock of H2. If DDL is transactional, a migration and its row are committed together or not at all. Unlock,
 * close and {@link MigrationListener#ended()} follow every outcome, in this order and before the subscriber is
 * notified. The result of a run lists migrations that the server has flushed ({@link MigrationSteps}).
 *
 * @param first evaluates the snapshot taken without a lock; null continues with the lock
 * @param locked creates the work under the lock, from the run's connection and that snapshot
 */
public record LockedRun<T>(
        Engine engine,
        MigrationSettings settings,
        Function<? super MigrationSnapshot, @Nullable T> first,
        BiFunction<RunConnection, MigrationSnapshot, Locked<T>> locked) {

    private static final KeyedMutex TURNS = new KeyedMutex();

    /** The work under the lock. */
    @FunctionalInterface
    public interface Locked<T> {
        /** Runs the work. With {@link LockScope#TRANSACTION} runs a part of it, and is empty if more may remain. */
        public Mono<T> run(MigrationSnapshot look);

        /** Runs before schemas and history are created, if the first snapshot found no history. */
        default Mono<Void> unprepared(MigrationSnapshot look) {
            return Mono.empty();
        }

        /** Returns the error for the subscriber, after the rollback. */
        default Mono<Throwable> failure(Throwable e) {
            return Mono.just(e);
        }
    }

    public Mono<T> run() {
        return inTurn(engine, settings, this::look);
    }

    /** Starts a run when earlier runs on this engine have ended. A cancellation does not reach it in flight. */
    static <T> Mono<T> inTurn(Engine engine, MigrationSettings settings, Function<RunSubscriber, Mono<T>> run) {
        return RunSubscriber.run(subscriber -> Mono.deferContextual(context ->
                        TURNS.run(engine.unitOfWork().source().identity(context), () -> run.apply(subscriber)))
                .doOnTerminate(() -> settings.tell(MigrationListener::ended)));
    }

    private Mono<T> look(RunSubscriber subscriber) {
        return SnapshotReader.first(engine, settings, true, subscriber::orStop).flatMap(look -> {
            T done = first.apply(look);
            return done == null ? subscriber.orStop(connect(look, subscriber)) : Mono.just(done);
        });
    }

    private Mono<T> connect(MigrationSnapshot look, RunSubscriber subscriber) {
        return RunConnection.open(engine, settings, look.table().dialect(), subscriber, run -> connected(look, run));
    }

    private Mono<T> connected(MigrationSnapshot look, RunConnection run) {
        Mono<MigrationSnapshot> opened = Callbacks.connected(settings, run, look);
        return settings.lock == LockScope.TRANSACTION
                ? connected(look, opened, run)
                : opened.flatMap(seen -> connected(seen, Mono.just(seen), run));
    }

    /** @param opened runs first in the session of the body */
    private Mono<T> connected(MigrationSnapshot look, Mono<MigrationSnapshot> opened, RunConnection run) {
        Preparation preparation = look.preparation(run.engine(), settings);
        Locked<T> work = locked.apply(run, look);
        Mono<T> body = opened.flatMap(seen ->
                        preparation.useSchema().then(new SnapshotReader(settings, true).again(run.engine(), seen)))
                .flatMap(again -> run.subscriber().orStop(work.run(again)));
        Mono<Void> before = look.exists() ? Mono.empty() : Mono.defer(() -> work.unprepared(look));
        return MigrationLock.of(preparation, run, engine)
                .hold(before, leavingSession(settings, look.table(), run, body))
                .onErrorResume(e -> work.failure(e).flatMap(Mono::error));
    }

    /** Resets the session before the commit if the run shares it with other clients. A rollback resets it by itself. */
    static <T> Mono<T> leavingSession(MigrationSettings settings, HistoryTable table, RunConnection run, Mono<T> body) {
        return settings.lock == LockScope.TRANSACTION ? restoring(table, run, body) : body;
    }

    public static <T> Mono<T> restoring(HistoryTable table, RunConnection run, Mono<T> body) {
        return SessionState.of(run.engine(), table)
                .flatMap(before -> body.map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMap(done -> before.restore(run.engine()).thenReturn(done)))
                .flatMap(Mono::justOrEmpty);
    }
}
