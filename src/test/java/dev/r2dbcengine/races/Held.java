package dev.r2dbcengine.races;

import io.r2dbc.pool.ConnectionPool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The {@code Mono} of an engine, kept since the engine was opened, and the pool that it emitted then. */
final class Held {
    private final Mono<ConnectionPool> mono;
    private final @Nullable ConnectionPool pool;

    Held(RacedCache raced) {
        this.mono = raced.pool();
        this.pool = ask().pool();
    }

    Answer ask() {
        return Answer.to(mono);
    }

    @Nullable ConnectionPool pool() {
        return pool;
    }

    boolean isOld(Answer answer) {
        return answer.pool() == pool;
    }
}
