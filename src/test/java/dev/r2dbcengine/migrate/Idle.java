package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Code that does nothing, for tests of how it is named and found. */
public interface Idle extends Migration {
    @Override
    default Publisher<?> migrate(Engine engine) {
        return Mono.empty();
    }
}
