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
 * A run on a connection of its own, under the lock. In one JVM the runs on one engine go one at a time.
 *
 * @param first judges a look without a lock; null goes on to the lock
 * @param locked what is done under the lock, on the run's connection, after that look
 */
public record LockedRun<T>(
        Engine engine,
        MigrationSettings settings,
        Function<? super MigrationSnapshot, @Nullable T> first,
        BiFunction<RunConnection, MigrationSnapshot, Locked<T>> locked) {

    private static final KeyedMutex TURNS = new KeyedMutex();

    /** What is done under the lock. */
    @FunctionalInterface
    public interface Locked<T> {
        /** Does it; or, where each transaction has its lock, a part of it, and is empty when there may be more. */
        public Mono<T> run(MigrationSnapshot look);

        /** Where the first look has found no history: what comes before schemas and history are created. */
        default Mono<Void> unprepared(MigrationSnapshot look) {
            return Mono.empty();
        }

        /** What the subscriber is told of a failure, once it is over. */
        default Mono<Throwable> failure(Throwable e) {
            return Mono.just(e);
        }
    }

    public Mono<T> run() {
        return inTurn(engine, settings, this::look);
    }

    /** Not cancelled in flight, and not beside another run on this engine. */
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

    /** @param opened what comes first in the session of the body */
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

    /** Where the session is not the run's, the transaction leaves it as it was. A rollback does so by itself. */
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
