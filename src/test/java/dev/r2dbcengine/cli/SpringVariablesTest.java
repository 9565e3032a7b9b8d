package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The environment of a pod may configure a Spring application and this command alike. */
@Tag("interoperation")
class SpringVariablesTest {

    static Stream<String> variables() {
        return RunSetting.all().flatMap(setting -> setting.variables().stream());
    }

    private static boolean reaches(String variable, String property) {
        ConfigurationPropertySource environment = Objects.requireNonNull(ConfigurationPropertySource.from(
                new SystemEnvironmentPropertySource("systemEnvironment", Map.of(variable, "value"))));
        return environment.getConfigurationProperty(ConfigurationPropertyName.of(property)) != null;
    }

    /** By relaxed binding, a property also has names without dashes, and with underscores in their place. */
    @ParameterizedTest
    @MethodSource("variables")
    void variableReachesNoProperty(String variable) {
        String name = variable.substring(variable.indexOf('_') + 1).toLowerCase(Locale.ROOT);

        assertThat(reaches(RunSetting.SPRING_VARIABLE + "URL", "r2dbc-engine.url"))
                .isTrue();
        assertThat(Stream.of("r2dbc-engine.", "r2dbc-engine.migrate.", "spring.r2dbc.", "spring.flyway.")
                        .map(prefix -> prefix + name.replace('_', '-')))
                .noneMatch(property -> reaches(variable, property));
    }
}
