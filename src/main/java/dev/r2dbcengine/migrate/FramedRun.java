package dev.r2dbcengine.migrate;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What is done under the lock between the callbacks of a phase. */
final class FramedRun<T> implements LockedRun.Locked<T> {

    private final Phase phase;
    private final MigrationSettings settings;
    private final RunConnection run;
    private final Function<Look, Mono<T>> body;
    private volatile @Nullable Callbacks callbacks;

    FramedRun(Phase phase, MigrationSettings settings, RunConnection run, Function<Look, Mono<T>> body) {
        this.phase = phase;
        this.settings = settings;
        this.run = run;
        this.body = body;
    }

    @Override
    public Mono<T> run(Look look) {
        Callbacks around = new Callbacks(settings, run, look, Executions.applied());
        callbacks = around;
        return around.around(phase, Mono.defer(() -> body.apply(look)));
    }

    @Override
    public Mono<Throwable> failure(Throwable e) {
        Callbacks around = callbacks;
        return around == null ? Mono.just(e) : around.failed(e);
    }
}
