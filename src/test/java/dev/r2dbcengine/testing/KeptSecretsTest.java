package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.ReactiveEngineCache;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import reactor.core.publisher.Mono;
import reactor.util.Loggers;

/** A run of tests that leaks a secret fails. */
class KeptSecretsTest {
    /** A secret of this test only, which is removed before the run ends. */
    private static final String SECRET = "whispered";

    private static final String EARLIER = "murmured";

    /** Runs only if its class is selected explicitly. */
    static class Leaking {
        @Test
        void leakInUnreadLogLine() {
            Loggers.getLogger("dev.r2dbcengine.work.Leak").debug("bound {}", SECRET);
        }

        @Test
        void leakInSuppressedError() {
            IllegalStateException reported = new IllegalStateException("reported");
            reported.addSuppressed(new IllegalStateException("suppressed", new IllegalStateException("of " + SECRET)));
            Loggers.getLogger("dev.r2dbcengine.work.Leak").debug("failed", reported);
        }

        @Test
        void leakInSwallowedException() {
            ReactiveEngineCache engines = ReactiveEngineCache.create();
            engines.engine("r2dbc:" + SECRET + "://host/shop")
                    .open()
                    .onErrorResume(EngineOpenException.class, e -> Mono.empty())
                    .then(engines.close())
                    .block();
        }
    }

    @Test
    void findsLeaksInAllOutput() {
        Secrets.keep(SECRET);
        List<Throwable> failures;
        try {
            failures = failures(Leaking.class);
        } finally {
            Secrets.forget(SECRET);
        }
        assertThat(failures).singleElement().isInstanceOf(AssertionError.class);
        assertThat(String.valueOf(failures.get(0).getMessage()).lines().filter(line -> line.contains(SECRET)))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).isEqualTo("DEBUG line of dev.r2dbcengine.work.Leak: bound whispered"),
                        line -> assertThat(line)
                                .startsWith("exception in a DEBUG line of dev.r2dbcengine.work.Leak: ")
                                .endsWith("of whispered"),
                        line -> assertThat(line)
                                .startsWith("dev.r2dbcengine.EngineOpenException made in dev.r2dbcengine."));
        assertThat(Secrets.leaks()).noneMatch(leak -> leak.contains(SECRET));
    }

    /** A nested run also watches, and removes nothing. */
    @Test
    void nestedRunKeepsEarlierLeaks() {
        Secrets.keep(EARLIER);
        try {
            Secrets.search("bound " + EARLIER, "earlier");
            failures(Leaking.class);
            assertThat(Secrets.leaks()).contains("earlier: bound " + EARLIER);
        } finally {
            Secrets.forget(EARLIER);
        }
    }

    private static List<Throwable> failures(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .selectors(selectClass(tests))
                .execute()
                .allEvents()
                .finished()
                .stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .toList();
    }
}
