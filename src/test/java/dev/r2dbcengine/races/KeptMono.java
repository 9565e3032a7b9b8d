package dev.r2dbcengine.races;

import io.r2dbc.pool.ConnectionPool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The {@code Mono} of an engine, kept since the engine was opened, and the pool that it emitted then. */
final class KeptMono {
    private final Mono<ConnectionPool> mono;
    private final @Nullable ConnectionPool pool;

    KeptMono(RacedCache raced) {
        this.mono = raced.pool();
        this.pool = subscribe().pool();
    }

    RecordingSubscriber subscribe() {
        return RecordingSubscriber.of(mono);
    }

    @Nullable ConnectionPool pool() {
        return pool;
    }

    boolean hasOldPool(RecordingSubscriber subscriber) {
        return subscriber.pool() == pool;
    }
}
