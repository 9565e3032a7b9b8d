package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.Secrets;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** No {@code toString()} of a public type contains a secret. */
class SecretsInTextTest {
    private static final String SECRET = Secrets.MARK + "text";
    private static final String URL =
            "r2dbc:postgresql://ada:" + SECRET + "@localhost:1/shop?sslMode=require&sslPassword=" + SECRET;

    @Test
    void publicTypesDoNotShowSecrets() {
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .credentials(options -> Mono.just(new Credentials("ada", SECRET)))
                .build();
        Engine engine = engines.engine(URL);
        Throwable failure = engine.open()
                .then(Mono.<Throwable>empty())
                .onErrorResume(Mono::just)
                .block();
        assertThat(failure).isInstanceOf(EngineOpenException.class);
        List<Object> printed = List.of(
                new Credentials("ada", SECRET),
                engines,
                engines.engines(),
                engine,
                engines.engine(ConnectionFactoryOptions.parse(URL)),
                engine.pool(),
                engine.unitOfWork().name("order"),
                engine.connectionFactory(),
                engine.sql("select :a, :b").bind("a", SECRET).bindAll(Map.of("b", SECRET)),
                MigrationRunner.on(engine).placeholders(Map.of("token", SECRET)),
                String.valueOf(failure),
                String.valueOf(failure == null ? null : failure.getCause()));
        assertThat(printed).noneMatch(each -> Secrets.isIn(each.toString()));
        engines.close().block();
    }

    /** Covers the objects that exist only while an engine is open. */
    @Test
    void openEngineDoesNotShowSecrets() {
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> new FakeDriver())
                .build();
        Engine engine = engines.engine(URL);
        engine.open().block();
        assertThat(engines.engines())
                .singleElement()
                .satisfies(status -> assertThat(status.url()).contains("localhost:1/shop"));
        List<Object> printed = List.of(
                engines,
                engines.engines(),
                engine,
                Objects.requireNonNull(engine.pool().block()),
                Objects.requireNonNull(engine.dialect().block()),
                engine.connectionFactory().getMetadata());
        assertThat(printed).noneMatch(each -> Secrets.isIn(each.toString()));
        engines.close().block();
    }
}
