package dev.r2dbcengine.internal.url;

import dev.r2dbcengine.ReactiveEngineCache;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of settings in error messages: those of this API, or those of an integration.
 *
 * @param names see {@link ReactiveEngineCache.Builder#settingNames}
 */
public record SettingNames(UnaryOperator<String> names) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

    private static final Map<String, String> OF_THE_API = Map.of(
            "url", "the URL",
            "credentials", "user:password@ before the host in the URL, or credentials(…)",
            "dependencies", "the dependencies");

    public static final SettingNames DEFAULT = new SettingNames(name -> OF_THE_API.getOrDefault(name, name));

    /** Returns the names of an integration; settings without an entry keep their default name. */
    public static SettingNames of(Map<String, String> names) {
        return new SettingNames(name -> names.getOrDefault(name, DEFAULT.names().apply(name)));
    }

    /** Replaces each {@code {setting}} in a text by the name of the setting. */
    public String in(String text) {
        return replaced(text, Map.of());
    }

    /** Replaces each {@code {key}} by its value, or by the name of that setting; values are not expanded again. */
    public String replaced(String text, Map<String, String> values) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String value = values.get(found.group(1));
            return Matcher.quoteReplacement(value == null ? names.apply(found.group(1)) : value);
        });
    }
}
