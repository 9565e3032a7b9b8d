package dev.r2dbcengine.internal.url;

import dev.r2dbcengine.internal.text.TimeSetting;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The pool settings that a URL may name, with the names of r2dbc-pool, their parsers and default values. */
@SuppressWarnings("ImmutableEnumChecker") // values and readers are immutable, which their types do not express
public enum Setting {
    INITIAL_SIZE(0, Setting::count),
    MIN_IDLE(0, Setting::count),
    MAX_SIZE(10, Setting::positiveCount),
    MAX_IDLE_TIME(Duration.ofMinutes(30), Setting::time),
    MAX_LIFE_TIME(Duration.ZERO, Setting::time),
    MAX_ACQUIRE_TIME(Duration.ofSeconds(30), Setting::time),
    MAX_CREATE_CONNECTION_TIME(Duration.ofSeconds(10), Setting::time),
    HOST_TIMEOUT(Duration.ofSeconds(2), Setting::time),
    HOST_RETRY_INTERVAL(Duration.ofSeconds(10), Setting::time),
    MAX_VALIDATION_TIME(Duration.ofSeconds(10), Setting::time),
    BACKGROUND_EVICTION_INTERVAL(Duration.ofMinutes(1), Setting::time),
    ACQUIRE_RETRY(0, Setting::count),
    VALIDATION_QUERY("", String::valueOf),
    VALIDATION_DEPTH(ValidationDepth.LOCAL, Setting::depth);

    private final String optionName;
    private final Object defaultValue;
    private final Function<Object, Object> reader;

    Setting(Object defaultValue, Function<Object, Object> reader) {
        this.optionName = camelCase(name());
        this.defaultValue = defaultValue;
        this.reader = reader;
    }

    public static Optional<Setting> named(String optionName) {
        return Arrays.stream(values())
                .filter(setting -> setting.optionName.equals(optionName))
                .findFirst();
    }

    /** Finds a setting by any spelling (case, dashes), since a driver would silently ignore a misspelled option. */
    static Optional<Setting> ofSpelling(String name) {
        String letters = name.replaceAll("[-_.]", "");
        return Arrays.stream(values())
                .filter(setting -> setting.optionName.equalsIgnoreCase(letters))
                .findFirst();
    }

    public String optionName() {
        return optionName;
    }

    public Object defaultValue() {
        return defaultValue;
    }

    /** As {@link #read(Object)}, but rejects an option that is not spelled like the setting. */
    public Object read(String name, Object value) {
        if (!name.equals(optionName)) {
            throw new IllegalArgumentException(optionName + " is written '" + name + "'");
        }
        return read(value);
    }

    /** Converts text, or a value of the target type, to the target type. The exception says what is valid. */
    public Object read(Object value) {
        Object read;
        try {
            read = reader.apply(value);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            String must = e instanceof Refused ? e.getMessage() : "must be like " + defaultValue;
            throw new IllegalArgumentException(optionName + " is '" + value + "': " + must, e);
        }
        return read instanceof Duration time ? TimeSetting.checked(time, optionName, "'" + value + "'") : read;
    }

    private static Object count(Object value) {
        int number = number(value);
        return must(number >= 0, number, "must be zero or more");
    }

    private static Object positiveCount(Object value) {
        int number = number(value);
        return must(number > 0, number, "must be one or more");
    }

    private static int number(Object value) {
        return value instanceof Integer number ? number : Integer.parseInt(value.toString());
    }

    private static Object time(Object value) {
        return value instanceof Duration duration ? duration : Duration.parse(value.toString());
    }

    private static Object depth(Object value) {
        return ValidationDepth.valueOf(value.toString().toUpperCase(Locale.ROOT));
    }

    private static Object must(boolean holds, Object value, String message) {
        if (!holds) {
            throw new Refused(message);
        }
        return value;
    }

    static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }

    private static final class Refused extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }
}
