package dev.r2dbcengine.internal.url;

import static dev.r2dbcengine.internal.url.EngineUrl.each;
import static dev.r2dbcengine.internal.url.EngineUrl.text;
import static dev.r2dbcengine.internal.url.EngineUrl.with;
import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the spellings of H2's in-memory databases: their names and settings. */
public final class H2Memory {
    static final String MEM = "mem";

    private static final String H2 = "h2";
    private static final Option<String> URL = Option.valueOf("url");
    private static final Option<String> OPTIONS = Option.valueOf("options");

    /** A URL without a database name, up to H2's settings or the query. */
    private static final Pattern UNNAMED =
            Pattern.compile("^(r2dbcs?:(?:pool:)?h2:mem):(?://(?<user>[^/?;@]*@)?)?/?(?=[;?]|$)");

    private H2Memory() {}

    static boolean matches(ConnectionFactoryOptions options) {
        return text(options, DRIVER).equals(H2) && text(options, PROTOCOL).equals(MEM);
    }

    /** Inserts a name into the URL of an unnamed database, since the URL parser requires one. */
    static String named(String url, String unnamed) {
        return UNNAMED.matcher(url)
                .replaceFirst(found -> found.group(1) + "://" + Objects.requireNonNullElse(found.group(2), "")
                        + "localhost/" + unnamed);
    }

    /** Moves the name of an in-memory database to the option {@code database}; returns other options unchanged. */
    static ConnectionFactoryOptions named(ConnectionFactoryOptions options, String unnamed) {
        String url = text(options, URL);
        if (text(options, DRIVER).equals(H2) && url.startsWith(MEM + ":")) {
            ConnectionFactoryOptions rest = ConnectionFactoryOptions.builder()
                    .from(options, option -> !option.equals(URL))
                    .build();
            return named(with(rest, H2, MEM, url.substring(MEM.length() + 1)), unnamed);
        }
        String database = text(options, DATABASE);
        if (!matches(options) || !name(database).isEmpty()) {
            return options;
        }
        String host = text(options, HOST);
        if (!host.isEmpty()) {
            throw new EngineOpenException(
                    "r2dbc:h2:mem://" + host,
                    "this names a host but no database. Write r2dbc:h2:mem:///" + host
                            + " for the in-memory database of that name",
                    null);
        }
        return with(options, H2, MEM, unnamed + database);
    }

    /** Returns the part of a database option before H2's settings. */
    static String name(String database) {
        int settings = database.indexOf(';');
        return settings < 0 ? database : database.substring(0, settings);
    }

    /** Collects H2's settings, which may follow the name, be in the list {@code options}, or be separate options. */
    public static Map<String, Object> settings(ConnectionFactoryOptions options) {
        Map<String, Object> settings = new TreeMap<>();
        each(options, (option, value) -> {
            if (option.equals(USER)) {
                settings.put(option.name(), upperCase(value.toString()));
            } else if (EngineUrl.isOfTheDriver(option) && !option.equals(OPTIONS)) {
                settings.put(upperCase(option.name()), EngineUrl.comparable(value));
            }
        });
        String database = text(options, DATABASE);
        Stream.of(database.substring(name(database).length()), text(options, OPTIONS))
                .flatMap(list -> Stream.of(list.split(";", -1)))
                .filter(setting -> !setting.isBlank())
                .map(setting -> setting.split("=", 2))
                .forEach(pair -> settings.put(upperCase(pair[0].trim()), pair.length > 1 ? pair[1] : ""));
        return settings;
    }

    private static String upperCase(String text) {
        return text.toUpperCase(Locale.ROOT);
    }
}
