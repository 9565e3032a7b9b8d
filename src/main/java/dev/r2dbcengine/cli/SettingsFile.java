package dev.r2dbcengine.cli;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Properties as Flyway reads its {@code flyway.conf}: UTF-8; {@code ${NAME}} is a variable of the environment; a backslash
 * that does not end its line is itself.
 */
record SettingsFile(Path file, Map<String, String> environment) {

    private static final Pattern BACKSLASH = Pattern.compile("\\\\(?!\\R|$)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    /**
     * Reads it.
     *
     * @param warnings is told of Flyway's keys that mean nothing here
     */
    Settings read(Consumer<String> warnings) {
        Settings settings = Settings.file(file.toString(), properties());
        settings.unknown().forEach(key -> {
            if (!key.startsWith(RunSetting.FLYWAY)) {
                throw new WrongUsageException(file + ": there is no setting " + key
                        + ". They are called as the options are, in one word: lockTimeout for --lock-timeout");
            }
            warnings.accept(file + ": " + key + " means nothing here, and is left out");
        });
        return settings;
    }

    private Map<String, String> properties() {
        Properties properties = new Properties();
        try {
            properties.load(
                    new StringReader(BACKSLASH.matcher(Files.readString(file)).replaceAll("\\\\\\\\")));
        } catch (IOException e) {
            throw new WrongUsageException(
                    file + " cannot be read. Name a file of properties in UTF-8 with --config", e);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(
                        key -> key,
                        key -> expanded(key, properties.getProperty(key).trim())));
    }

    private String expanded(String key, String value) {
        return VARIABLE.matcher(value).replaceAll(found -> Matcher.quoteReplacement(variable(key, found.group(1))));
    }

    private String variable(String key, String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new WrongUsageException(file + ": " + key + " has ${" + name + "}, and no variable " + name
                    + " is in the environment. Set it, or write the value");
        }
        return value;
    }
}
