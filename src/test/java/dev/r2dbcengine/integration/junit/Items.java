package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Statements and assertions of the test classes that the extension's tests run, without a Reactor Context. */
final class Items {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Items() {}

    static Mono<Long> insert(Engine engine, String name) {
        return engine.sql("insert into item values (:name)").bind("name", name).update();
    }

    static void inserted(Engine engine, String name) {
        StepVerifier.create(insert(engine, name))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    /** Asserts that the table has exactly these names, which are sorted. */
    static void are(Engine engine, String... names) {
        StepVerifier.create(engine.sql("select name from item order by name")
                        .map(String.class)
                        .all())
                .expectNext(names)
                .expectComplete()
                .verify(LONG);
    }

    static void completes(Publisher<?> publisher) {
        StepVerifier.create(publisher)
                .thenConsumeWhile(any -> true)
                .expectComplete()
                .verify(LONG);
    }
}
