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

    abstract static class Properties implements MalformedUrlContract {
        private final String prefix;
        private final int proofRounds;

        Properties(String prefix, int proofRounds) {
            this.prefix = prefix;
            this.proofRounds = proofRounds;
        }

        @Override
        public String shown(String url) {
            return MalformedPropertyTest.shown(
                    prefix + ".url=" + url, prefix + ".username=ada", prefix + ".password=hush-d");
        }

        @Override
        public int rounds() {
            return Proof.rounds(40, proofRounds);
        }
    }

    @Nested
    class LibraryProperties extends Properties {
        LibraryProperties() {
            super("r2dbc-engine", 650);
        }
    }

    @Nested
    class SpringBootProperties extends Properties {
        SpringBootProperties() {
            super("spring.r2dbc", 600);
        }
    }
}
