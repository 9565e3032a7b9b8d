package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The contract with automatic context propagation, which Spring Boot can enable for tracing. */
@Tag("interoperation")
class ContextPropagationTest extends FakeUnitOfWorkTest {
    private static final String KEY = "trace";
    private static final ThreadLocal<String> TRACE = new ThreadLocal<>();

    @BeforeAll
    static void enablePropagation() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, TRACE);
        reactor.core.publisher.Hooks.enableAutomaticContextPropagation();
    }

    @AfterAll
    static void disablePropagation() {
        reactor.core.publisher.Hooks.disableAutomaticContextPropagation();
        ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
    }

    @Test
    void threadLocalsArePropagatedIntoBodyAndAfterUnit() {
        Mono<String> unit = unit().execute(work -> insert(work, "a")
                .publishOn(Schedulers.parallel())
                .map(count -> "body " + TRACE.get())
                .flatMap(text -> insert(work, "b").map(count -> text)));

        StepVerifier.create(unit.map(text -> text + ", after " + TRACE.get())
                        .subscribeOn(Schedulers.boundedElastic())
                        .contextWrite(context -> context.put(KEY, "t1")))
                .expectNext("body t1, after t1")
                .expectComplete()
                .verify(LONG);

        assertThat(TRACE.get()).isNull();
        assertThat(items()).containsExactly("a", "b");
    }
}
