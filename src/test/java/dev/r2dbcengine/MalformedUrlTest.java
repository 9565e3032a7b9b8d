package dev.r2dbcengine;

import dev.r2dbcengine.testing.MalformedUrlContract;
import reactor.core.publisher.Mono;

class MalformedUrlTest implements MalformedUrlContract {

    @Override
    public String shown(String url) {
        ReactiveEngineCache cache = ReactiveEngineCache.create();
        String shown = cache.engineWith(url, options -> options)
                .open()
                .thenReturn("")
                .onErrorResume(error -> Mono.just(MalformedUrlContract.text(error)))
                .block();
        cache.close().block();
        return shown + cache.engines();
    }
}
