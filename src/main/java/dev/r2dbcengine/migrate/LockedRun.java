package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A run on a connection of its own, under the lock. In one JVM the runs on one engine go one at a time.
 *
 * @param first judges a look without a lock; null goes on to the lock
 * @param locked does the work, with an engine on the run's connection and what it sees there
 */
record LockedRun<T>(
        Engine engine, MigrationSettings settings, Function<? super Look, @Nullable T> first, Locked<T> locked) {

    private static final Turns TURNS = new Turns();

    /** What is done under the lock. */
    @FunctionalInterface
    interface Locked<T> {
        Mono<T> run(RunConnection connection, Look look);
    }

    Mono<T> run() {
        return inTurn(engine, settings.listener, this::look);
    }

    /** Not cancelled in flight, and not beside another run on this engine. */
    static <T> Mono<T> inTurn(Engine engine, MigrationListener listener, Function<Uncancelled, Mono<T>> run) {
        return Uncancelled.run(subscriber -> Mono.deferContextual(context ->
                        TURNS.run(engine.unitOfWork().source().identity(context), () -> run.apply(subscriber)))
                .doOnTerminate(listener::ended));
    }

    private Mono<T> look(Uncancelled subscriber) {
        return Looker.first(engine, settings, true, subscriber::orStop).flatMap(look -> {
            T done = first.apply(look);
            Looker looker = new Looker(settings, look.table().dialect(), true);
            return done == null ? subscriber.orStop(connect(looker, look, subscriber)) : Mono.just(done);
        });
    }

    private Mono<T> connect(Looker looker, Look look, Uncancelled subscriber) {
        return RunConnection.open(engine, settings, looker.dialect(), subscriber, run -> connected(looker, look, run));
    }

    private Mono<T> connected(Looker looker, Look look, RunConnection run) {
        HistoryWriter writer = look.writer(run.engine(), settings);
        Preparation preparation = new Preparation(settings, look.table(), writer);
        Mono<T> body = preparation
                .useSchema()
                .then(looker.look(run.engine()))
                .flatMap(again -> run.subscriber().orStop(locked.run(run, again)));
        MigrationLock lock = new MigrationLock(preparation, run.engine(), engine.openConnection(), run.subscriber());
        return lock.hold(body);
    }
}
