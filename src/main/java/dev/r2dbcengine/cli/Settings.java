package dev.r2dbcengine.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where values are set.
 *
 * @param place how messages begin that name a value of it; empty when its name says enough
 * @param values by the names that they have there
 * @param names the names that a setting has there; the first goes before the others
 * @param placeholders what the names of placeholders begin with there; the first goes before the others
 */
record Settings(
        String place, Map<String, String> values, Function<RunSetting, List<String>> names, List<String> placeholders) {

    /** What flags of placeholders are kept as. */
    static final String PLACEHOLDER = Options.PLACEHOLDER + " ";

    /**
     * A value and where it was found.
     *
     * @param text the value; not to be shown
     * @param from what messages name
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
        return new Settings("", variables, RunSetting::variables, List.of(RunSetting.VARIABLE + "PLACEHOLDERS_"));
    }

    static Settings file(String name, Map<String, String> properties) {
        return new Settings(
                name + ": ",
                properties,
                RunSetting::keys,
                List.of("placeholders.", RunSetting.FLYWAY + "placeholders."));
    }

    Optional<Value> value(RunSetting setting) {
        return names.apply(setting).stream()
                .filter(values::containsKey)
                .map(name -> new Value(String.valueOf(values.get(name)), place + name))
                .findFirst();
    }

    /** By name, without regard to case. */
    Map<String, String> placeholderValues() {
        Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        placeholders.forEach(prefix -> values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.putIfAbsent(name.substring(prefix.length()), value);
            }
        }));
        return found;
    }

    /** What stands there and means nothing. */
    Stream<String> unknown() {
        return values.keySet().stream()
                .filter(name -> RunSetting.all()
                        .flatMap(setting -> names.apply(setting).stream())
                        .noneMatch(name::equals))
                .filter(name -> placeholders.stream().noneMatch(name::startsWith))
                .sorted();
    }
}
