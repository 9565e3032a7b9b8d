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
 * A properties file, read as Flyway reads its {@code flyway.conf}: the encoding is UTF-8, {@code ${NAME}} is replaced
 * by an environment variable, and a backslash is literal except at the end of a line.
 */
record SettingsFile(Path file, Map<String, String> environment) {

    private static final Pattern BACKSLASH = Pattern.compile("\\\\(?!\\R|$)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    /**
     * Reads the file. An unknown key is an error, unless it is one of Flyway's.
     *
     * @param warnings receives a warning for each unsupported key of Flyway's
     */
    Settings read(Consumer<String> warnings) {
        if (file.toString().endsWith(".toml")) {
            throw new WrongUsageException(file + " is a TOML file, which is not supported. Write its settings into a"
                    + " flyway.conf, such as flyway.locations=filesystem:one,filesystem:two, and name that file");
        }
        Settings settings = Settings.file(file.toString(), properties());
        settings.unknown().forEach(key -> {
            if (!key.startsWith(RunSetting.FLYWAY)) {
                throw new WrongUsageException(file + ": there is no setting " + key
                        + ". Settings are named like the options, in camel case: lockTimeout for --lock-timeout");
            }
            warnings.accept(file + ": " + key + " is not supported and is ignored");
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
            throw new WrongUsageException(file + ": " + key + " refers to ${" + name
                    + "}, but the environment variable " + name + " is not set. Set it, or write the value");
        }
        return value;
    }
}
