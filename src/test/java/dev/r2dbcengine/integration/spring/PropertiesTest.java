package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The properties cover all options and have descriptions in the metadata. */
class PropertiesTest {

    private static Set<String> components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
    }

    /** Returns the names of the fluent methods of a type. */
    private static Set<String> options(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getReturnType() == type && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    private static Set<String> without(Set<String> all, String... code) {
        Set<String> rest = new TreeSet<>(all);
        assertThat(rest).contains(code);
        rest.removeAll(Set.of(code));
        return rest;
    }

    @Test
    void everyMigrationOptionExceptCodeIsProperty() {
        assertThat(without(components(MigrateProperties.class), "enabled"))
                .isEqualTo(without(options(MigrationRunner.class), "callbacks", "sources", "migrations", "listener"));
    }

    @Test
    void everyPoolSettingIsProperty() {
        assertThat(components(PoolProperties.class)).isEqualTo(without(options(EngineSettings.Builder.class), "clock"));
    }

    @Test
    void everyCacheSettingExceptCodeIsProperty() {
        assertThat(without(components(R2dbcEngineProperties.class), "url", "username", "password", "pool", "migrate"))
                .isEqualTo(without(
                        options(ReactiveEngineCache.Builder.class),
                        "settingNames",
                        "settings",
                        "connectionFactory",
                        "decorate",
                        "credentials",
                        "initializer",
                        "listener",
                        "listeners",
                        "boundConnections"));
    }

    private static Stream<String> properties(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).flatMap(component -> {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            return component.getType().isRecord() ? properties(name, component.getType()) : Stream.of(name);
        });
    }

    @Test
    void everyPropertyHasDescription() throws IOException {
        Map<String, String> described = new HashMap<>();
        try (InputStream metadata = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property : new ObjectMapper()
                    .readTree(Objects.requireNonNull(metadata))
                    .get("properties")) {
                described.put(
                        property.get("name").asString(),
                        property.path("description").asString(""));
            }
        }
        List<String> names =
                properties("r2dbc-engine", R2dbcEngineProperties.class).toList();

        assertThat(names).hasSizeGreaterThan(40).allMatch(ConfigurationPropertyName::isValid);
        assertThat(described).containsKeys(names.toArray(String[]::new));
        assertThat(names).allSatisfy(name -> assertThat(described.get(name)).endsWith("."));
        assertThat(described.keySet().stream().filter(name -> name.startsWith("r2dbc-engine")))
                .as("no other properties")
                .allMatch(name -> names.contains(name)
                        || Set.of("r2dbc-engine.pool", "r2dbc-engine.migrate").contains(name));
    }
}
