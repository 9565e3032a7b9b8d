package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/**
 * reactor-pool validates an idle connection before it takes a pending acquisition. If the pool was shut down in
 * between, there is none left, and the pool forgets the connection. The test triggers this from within a background
 * eviction: the thread of the eviction serves the acquisition after it, so that the shutdown does not wait for the
 * acquisition.
 */
class ForgottenConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeDriver driver = new FakeDriver();
    private final Queue<Runnable> onValidation = new ConcurrentLinkedQueue<>();

    @Test
    void forgottenConnectionIsClosed() {
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> new ObservedFactory())
                .closeTimeout(LONG)
                .build();
        Engine engine = engines.engine("r2dbc:fake://host/db?backgroundEvictionInterval=PT0.02S");
        engine.dialect().block(LONG);
        Mono<Void> closed = engines.close().cache();
        Sinks.One<Long> updated = Sinks.one();

        onValidation.add(() -> {
            onValidation.add(closed::subscribe);
            engine.sql("a").update().subscribe(updated::tryEmitValue, updated::tryEmitError);
        });

        StepVerifier.create(updated.asMono())
                .expectError(EngineCacheClosedException.class)
                .verify(LONG);
        assertThat(onValidation).isEmpty();
        StepVerifier.create(closed).expectComplete().verify(LONG);
        assertThat(driver.openConnections()).isZero();
    }

    /** Creates connections that run the next action of the test when they are validated. */
    private final class ObservedFactory implements ConnectionFactory {

        @Override
        public Publisher<Connection> create() {
            return Flux.from(driver.create()).map(this::observed);
        }

        private Connection observed(Connection connection) {
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        Runnable action = method.getName().equals("validate") ? onValidation.poll() : null;
                        if (action != null) {
                            action.run();
                        }
                        return method.invoke(connection, arguments);
                    });
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return driver.getMetadata();
        }
    }
}
