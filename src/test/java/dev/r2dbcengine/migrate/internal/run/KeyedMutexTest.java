package dev.r2dbcengine.migrate.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class KeyedMutexTest {
    private final KeyedMutex turns = new KeyedMutex();
    private final List<String> events = new CopyOnWriteArrayList<>();

    private Supplier<Mono<Void>> action(String name, Mono<Void> action) {
        return () -> action.doOnSubscribe(begun -> events.add(name));
    }

    @Test
    void nextRunStartsAfterAnyTermination() {
        Sinks.Empty<Void> first = Sinks.empty();
        turns.run("key", action("first", first.asMono())).subscribe(null, e -> events.add("failed"));
        turns.run("key", action("second", Mono.empty())).subscribe(null, null, () -> events.add("done"));
        turns.run("other", action("other", Mono.empty())).subscribe();
        assertThat(events).containsExactly("first", "other");
        first.tryEmitError(new IllegalStateException("on purpose"));
        assertThat(events).containsExactly("first", "other", "failed", "second", "done");
    }

    @Test
    void throwingRunReleasesTheMutex() {
        turns.run("key", () -> {
                    throw new IllegalStateException("on purpose");
                })
                .subscribe(null, e -> events.add("failed"));
        turns.run("key", action("second", Mono.empty())).subscribe();
        assertThat(events).containsExactly("failed", "second");
    }
}
