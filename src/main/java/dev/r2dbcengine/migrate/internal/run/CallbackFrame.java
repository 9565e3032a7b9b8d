package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.internal.history.SessionState;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Runs an action under the lock, between the callbacks of a phase. */
final class CallbackFrame<T> implements LockedRun.Locked<T> {

    private final CallbackPhase phase;
    private final MigrationSettings settings;
    private final RunConnection run;
    private final Function<MigrationSnapshot, Mono<T>> body;
    private volatile @Nullable Callbacks callbacks;
    private volatile boolean isPrepared;

    CallbackFrame(
            CallbackPhase phase,
            MigrationSettings settings,
            RunConnection run,
            Function<MigrationSnapshot, Mono<T>> body) {
        this.phase = phase;
        this.settings = settings;
        this.run = run;
        this.body = body;
    }

    @Override
    public Mono<T> run(MigrationSnapshot look) {
        Callbacks around = new Callbacks(settings, run, look, RunProgress.applied());
        callbacks = around;
        Mono<Void> creation = isPrepared ? Mono.empty() : creation(around);
        return creation.then(around.around(phase, Mono.defer(() -> body.apply(look))));
    }

    @Override
    public Mono<Void> unprepared(MigrationSnapshot look) {
        return SessionState.of(run.engine(), look.table())
                .flatMap(session -> creation(Callbacks.ofUnprepared(settings, run, look, session)))
                .doOnSuccess(none -> isPrepared = true);
    }

    /** Creates schemas and history, except for a repair, as with Flyway. */
    private Mono<Void> creation(Callbacks events) {
        return phase == CallbackPhase.BASELINE ? events.creation() : Mono.empty();
    }

    @Override
    public Mono<Throwable> failure(Throwable e) {
        Callbacks around = callbacks;
        return around == null ? Mono.just(e) : around.failed(e);
    }
}
