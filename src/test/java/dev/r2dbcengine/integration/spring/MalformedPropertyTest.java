package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.testing.MalformedUrlContract;
import dev.r2dbcengine.testing.Proof;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

class MalformedPropertyTest {

    private static String shown(String... properties) {
        AtomicReference<String> shown = new AtomicReference<>("");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EngineAutoConfiguration.class, R2dbcAutoConfiguration.class))
                .withPropertyValues(properties)
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    shown.set(
                            failure == null
                                    ? opened(context.getBean(Engine.class))
                                    : MalformedUrlContract.text(failure));
                });
        return String.valueOf(shown.get());
    }

    private static String opened(Engine engine) {
        return String.valueOf(engine.open()
                .thenReturn("")
                .onErrorResume(error -> Mono.just(MalformedUrlContract.text(error)))
                .block());
    }

    @Nested
    class OfThisLibrary implements MalformedUrlContract {
        @Override
        public String shown(String url) {
            return MalformedPropertyTest.shown(
                    "r2dbc-engine.url=" + url, "r2dbc-engine.username=ada", "r2dbc-engine.password=hush-d");
        }

        @Override
        public int rounds() {
            return Proof.rounds(40, 650);
        }
    }

    @Nested
    class OfSpringBoot implements MalformedUrlContract {
        @Override
        public String shown(String url) {
            return MalformedPropertyTest.shown(
                    "spring.r2dbc.url=" + url, "spring.r2dbc.username=ada", "spring.r2dbc.password=hush-d");
        }

        @Override
        public int rounds() {
            return Proof.rounds(40, 600);
        }
    }
}
