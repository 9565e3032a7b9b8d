package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class EngineHealthTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ReactiveEngineCache cache = ReactiveEngineCache.create();

    @AfterEach
    void close() {
        cache.close().block(LONG);
    }

    private Health of(Engine engine) {
        return Objects.requireNonNull(new EngineHealth(cache, engine).health().block(LONG));
    }

    @Test
    void answeringDatabaseIsUp() {
        Health health = of(cache.engine("r2dbc:h2:mem:///healthy"));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("database", "H2");
        assertThat(health.getDetails().toString()).contains("healthy", "OPEN", "borrowed=0");
    }

    @Test
    void unreachableDatabaseIsDownWithoutPassword() {
        Health health = of(cache.engine("r2dbc:postgresql://ada:secret@localhost:1/shop"));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().toString()).contains("localhost:1").doesNotContain("secret");
    }
}
