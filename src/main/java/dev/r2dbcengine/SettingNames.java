package dev.r2dbcengine;

import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How error messages name what a reader can change: by the names of this API, or by those of an integration.
 *
 * @param names see {@link ReactiveEngineCache.Builder#settingNames}
 */
record SettingNames(UnaryOperator<String> names) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

    private static final Map<String, String> OF_THE_API = Map.of(
            "url", "the URL",
            "credentials", "user:password@ before the host in the URL, or credentials(…)",
            "dependencies", "the dependencies");

    static final SettingNames DEFAULT = new SettingNames(name -> OF_THE_API.getOrDefault(name, name));

    /** Names of an integration; the default name of a setting that it does not have. */
    static SettingNames of(Map<String, String> names) {
        return new SettingNames(name -> names.getOrDefault(name, DEFAULT.names().apply(name)));
    }

    /** The text with a name in place of each {@code {setting}}. */
    String in(String text) {
        return replaced(text, Map.of());
    }

    /** Replaces {@code {key}} by its value, other placeholders by the name of the setting; values are not read again. */
    String replaced(String text, Map<String, String> values) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String value = values.get(found.group(1));
            return Matcher.quoteReplacement(value == null ? names.apply(found.group(1)) : value);
        });
    }
}
