package dev.r2dbcengine.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The values of one place: flags, environment or file.
 *
 * @param place prefix for messages about a value, such as the file; empty if the name of a value is clear without it
 * @param values by their names in this place
 * @param names the names of a setting in this place; an earlier one takes precedence
 * @param placeholders the prefixes of placeholders in this place; an earlier one takes precedence
 */
record Settings(
        String place, Map<String, String> values, Function<RunSetting, List<String>> names, List<String> placeholders) {

    /** The prefix of placeholders that were given as flags. */
    static final String PLACEHOLDER = Options.PLACEHOLDER + " ";

    private static final String PLACEHOLDERS = "PLACEHOLDERS_";

    /**
     * A value and its origin.
     *
     * @param text the value; not to be printed, as it may be a secret
     * @param from the flag, variable or key, for messages
     */
    record Value(String text, String from) {
        @Override
        public String toString() {
            return from;
        }
    }

    static Settings flags(Map<String, String> flags) {
        return new Settings("", flags, RunSetting::flags, List.of(PLACEHOLDER));
    }

    static Settings environment(Map<String, String> variables) {
        return new Settings(
                "",
                variables,
                RunSetting::variables,
                List.of(RunSetting.VARIABLE + PLACEHOLDERS, RunSetting.FLYWAY_VARIABLE + PLACEHOLDERS));
    }

    static Settings file(String name, Map<String, String> properties) {
        return new Settings(
                name + ": ",
                properties,
                RunSetting::keys,
                List.of("placeholders.", RunSetting.FLYWAY + "placeholders."));
    }

    /** Returns whether a name is a setting or a placeholder. */
    boolean knows(String name) {
        return RunSetting.all()
                        .flatMap(setting -> names.apply(setting).stream())
                        .anyMatch(name::equals)
                || placeholders.stream().anyMatch(name::startsWith);
    }

    Optional<Value> value(RunSetting setting) {
        return names.apply(setting).stream()
                .filter(values::containsKey)
                .map(name -> new Value(String.valueOf(values.get(name)), place + name))
                .findFirst();
    }

    /** Returns the placeholders by name, ignoring case. */
    Map<String, String> placeholderValues() {
        Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        placeholders.forEach(prefix -> values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.putIfAbsent(name.substring(prefix.length()), value);
            }
        }));
        return found;
    }

    /** Returns the names that are neither a setting nor a placeholder, sorted. */
    Stream<String> unknown() {
        return values.keySet().stream().filter(name -> !knows(name)).sorted();
    }
}
