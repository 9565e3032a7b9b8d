package dev.r2dbcengine.migrate.internal.script;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The placeholders of a script and their values. As with Flyway, names are not case-sensitive, and placeholders are
 * replaced everywhere, also in quotes and comments. In addition the empty name is replaced by the prefix:
 * <code>${}name}</code> becomes the text <code>${name}</code>. With Flyway a name without a value is an error, so no
 * script that it accepts changes its meaning.
 */
public final class Placeholders {

    /** No replacement. */
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

    /* Returns the prefix; empty if nothing is replaced. */
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
