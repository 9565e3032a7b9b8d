package dev.r2dbcengine.integration.spring;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The property names that error messages use instead of the library's methods. */
final class PropertyNames {

    private PropertyNames() {}

    /** Returns the names for a prefix: {@code r2dbc-engine} or {@code spring.r2dbc}. */
    static Map<String, String> of(String prefix) {
        Map<String, String> names = new HashMap<>(Map.of(
                "url", prefix + ".url",
                "credentials", prefix + ".username and " + prefix + ".password",
                "connectTimeout", "r2dbc-engine.migrate.connect-timeout"));
        Stream.of(PoolProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .forEach(name -> names.put(name, prefix + ".pool." + dashed(name)));
        return names;
    }

    private static String dashed(String name) {
        return name.replaceAll("(\\p{Lu})", "-$1").toLowerCase(Locale.ROOT);
    }
}
