package dev.r2dbcengine;

import static dev.r2dbcengine.EngineUrl.each;
import static dev.r2dbcengine.EngineUrl.text;
import static dev.r2dbcengine.EngineUrl.with;
import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How H2's in-memory databases are spelled: which name is meant, and which settings. */
final class H2Memory {
    static final String MEM = "mem";

    private static final String H2 = "h2";
    private static final Option<String> URL = Option.valueOf("url");
    private static final Option<String> OPTIONS = Option.valueOf("options");

    /** Ends where H2's settings or the query begin: no name was written. */
    private static final Pattern UNNAMED =
            Pattern.compile("^(r2dbcs?:(?:pool:)?h2:mem):(?://(?<user>[^/?;@]*@)?)?/?(?=[;?]|$)");

    private H2Memory() {}

    static boolean matches(ConnectionFactoryOptions options) {
        return text(options, DRIVER).equals(H2) && text(options, PROTOCOL).equals(MEM);
    }

    /** The URL with a name, which the parser of URLs asks for. */
    static String named(String url, String unnamed) {
        return UNNAMED.matcher(url)
                .replaceFirst(found -> found.group(1) + "://" + Objects.requireNonNullElse(found.group(2), "")
                        + "localhost/" + unnamed);
    }

    /** Options that have the name in one place, or what is not H2's in memory as it is. */
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
                    "this names a host and no database. Write r2dbc:h2:mem:///" + host
                            + " for the in-memory database of that name",
                    null);
        }
        return with(options, H2, MEM, unnamed + database);
    }

    /** The name that begins what is written as the database. */
    static String name(String database) {
        int settings = database.indexOf(';');
        return settings < 0 ? database : database.substring(0, settings);
    }

    /** H2 takes a setting behind the name, in the list {@code options} or as an option of its own: all one to it. */
    static Map<String, Object> settings(ConnectionFactoryOptions options) {
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
