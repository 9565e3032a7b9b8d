package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RunningServerTest {
    private static final String NO_PROPERTY = "test.none.url";

    private final AtomicInteger started = new AtomicInteger();
    private final RunningServer server = new RunningServer("postgresql", NO_PROPERTY, this::start);

    private ConnectionFactoryOptions start() {
        return ConnectionFactoryOptions.parse(
                "r2dbc:postgresql://a:" + Secrets.MARK + "b@localhost:" + started.incrementAndGet());
    }

    @Test
    void isStartedOnceForAllThreads() {
        Flux<ConnectionFactoryOptions> asked = Flux.range(0, 100)
                .parallel()
                .runOn(Schedulers.parallel())
                .map(i -> server.database("same"))
                .sequential()
                .distinct();
        StepVerifier.create(asked).expectNextCount(1).verifyComplete();
        assertThat(started).hasValue(1);
    }

    @Test
    void isNotStartedBeforeFirstUse() {
        assertThat(started).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nonsense", "r2dbc:mariadb://a:b@h:1", "r2dbc:postgresql://h:1", "r2dbc:postgresql://a:b@h"})
    void invalidAdministratorUrlIsReportedWithExample(String url) {
        assertThatIllegalStateException()
                .isThrownBy(() -> server.parsed(url))
                .withMessageContaining("-D" + NO_PROPERTY)
                .withMessageContaining("r2dbc:postgresql://admin:secret@host:port/database");
    }
}
