package dev.r2dbcengine.migrate.internal.script;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a script for what. As with Flyway, names are looked up without regard to case, and replaced everywhere, in
 * quotes and comments too. Beyond Flyway the empty name stands for the prefix: <code>${}name}</code> is the text
 * <code>${name}</code>. No script that runs with Flyway has that, since a name without a value is an error there.
 */
public final class Placeholders {

    /** A script is taken as it is. */
    public static final Placeholders OFF = new Placeholders("", "", Map.of());

    private final String prefix;
    private final String suffix;
    private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    public Placeholders(String prefix, String suffix, Map<String, String> values) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.values.put("", prefix);
        this.values.putAll(values);
    }

    /* Empty: there are none. */
    String prefix() {
        return prefix;
    }

    String suffix() {
        return suffix;
    }

    @Nullable String value(String name) {
        return values.get(name);
    }

    @Override
    public String toString() {
        return (prefix + "name" + suffix + " " + values.keySet()).toLowerCase(Locale.ROOT);
    }
}
