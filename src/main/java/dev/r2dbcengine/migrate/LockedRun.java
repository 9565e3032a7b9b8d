package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.MigrationSql;
import io.r2dbc.spi.Connection;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A run on a connection of its own, under the lock. In one JVM the runs on one engine go one at a time.
 *
 * @param first judges a look without a lock; null goes on to the lock
 * @param locked what is done under the lock, on the run's connection
 */
record LockedRun<T>(
        Engine engine,
        MigrationSettings settings,
        Function<? super Look, @Nullable T> first,
        Function<RunConnection, Locked<T>> locked) {

    private static final Turns TURNS = new Turns();

    /** What is done under the lock. */
    @FunctionalInterface
    interface Locked<T> {
        /** Does it; or, where each transaction has its lock, a part of it, and is empty when there may be more. */
        Mono<T> run(Look look);

        /** What the subscriber is told of a failure, once it is over. */
        default Mono<Throwable> failure(Throwable e) {
            return Mono.just(e);
        }
    }

    Mono<T> run() {
        return Uncancelled.run(subscriber -> Mono.deferContextual(context -> TURNS.run(
                engine.unitOfWork().source().identity(context),
                () -> subscriber.orStop(dialect(engine).flatMap(dialect -> look(dialect, subscriber))))));
    }

    static Mono<Dialect> dialect(Engine engine) {
        return engine.dialect()
                .filter(dialect -> !dialect.migrations(MigrationSql.SESSION).isEmpty())
                .switchIfEmpty(Mono.error(() -> new InvalidMigrationException(
                        "Databases of this kind cannot be migrated: its dialect has no texts for it")));
    }

    private Mono<T> look(Dialect dialect, Uncancelled subscriber) {
        Looker looker = new Looker(settings, dialect, true);
        return looker.look(engine).flatMap(look -> {
            T done = first.apply(look);
            return done == null ? subscriber.orStop(connect(looker, look, subscriber)) : Mono.just(done);
        });
    }

    private Mono<T> connect(Looker looker, Look look, Uncancelled subscriber) {
        Mono<Connection> open = engine.openConnection();
        return open.flatMap(connection -> connected(
                looker, look, new RunConnection(new OneConnection(connection, open), looker.dialect(), subscriber)));
    }

    private Mono<T> connected(Looker looker, Look look, RunConnection run) {
        HistoryWriter writer = look.writer(run.engine(), settings);
        Preparation preparation = new Preparation(settings, look.table(), writer);
        Locked<T> work = locked.apply(run);
        Mono<T> body = preparation
                .useSchema()
                .then(looker.look(run.engine()))
                .flatMap(again -> run.subscriber().orStop(work.run(again)));
        MigrationLock lock =
                new MigrationLock(preparation, run, new LockWait(settings, look.table(), run), engine.openConnection());
        return Uncancelled.andThen(
                lock.hold(settings.lock == LockScope.TRANSACTION ? restoring(look.table(), run, body) : body)
                        .onErrorResume(e -> work.failure(e).flatMap(Mono::error)),
                run.source()
                        .close()
                        .onErrorResume(e -> Mono.fromRunnable(
                                () -> settings.listener.cleanupFailed("close of the connection", e))));
    }

    /** The session is not the run's: the transaction leaves it as it was. A rollback does so by itself. */
    private static <T> Mono<T> restoring(HistoryTable table, RunConnection run, Mono<T> body) {
        return Session.of(run.engine(), table)
                .flatMap(before -> body.map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMap(done -> before.restore(run.engine()).thenReturn(done)))
                .flatMap(Mono::justOrEmpty);
    }
}
