package dev.r2dbcengine;

import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PASSWORD;
import static io.r2dbc.spi.ConnectionFactoryOptions.PORT;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.net.URISyntaxException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A URL, taken apart: which engine it means, what the driver gets, and what it names beyond the identity.
 *
 * @param key which engine
 * @param options for the driver: without {@code pool:} and the pool's settings, an in-memory database always named
 * @param settings the pool's settings that the URL names
 * @param named everything that two URLs of one engine must not name differently, the password included
 * @param redacted for people: no password, no options
 */
record EngineUrl(
        EngineKey key,
        ConnectionFactoryOptions options,
        Map<Setting, Object> settings,
        Map<String, Object> named,
        String redacted) {

    /** Of a URL that cannot be read, what holds no secret: not all before the last @, nor what is behind the path. */
    private static final Pattern READABLE = Pattern.compile("(?s)^((?:r2dbcs?|jdbc):\\w+)?(?:.*@)?([^?;#]*).*");

    /** A host with a port, the host perhaps an address in brackets. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]*]|[^:]*)(:\\d+)?");

    /** One host with its port, which the parser leaves together where the host has an underscore or the password an @. */
    private static final Pattern UNSPLIT = Pattern.compile("([^\\[\\]:,]+):(\\d{1,5})");

    private static final Pattern MISPLACED = Pattern.compile("[?&](user|password|host|port|database|driver|protocol)=");

    private static final Set<Option<?>> IDENTITY = Set.of(DRIVER, PROTOCOL, HOST, PORT, USER, DATABASE);

    /**
     * Reads a URL.
     *
     * @param unnamed the name that the unnamed in-memory database gets
     */
    static EngineUrl parse(String url, String unnamed) {
        try {
            ConnectionFactoryOptions options = ConnectionFactoryOptions.parse(H2Memory.named(url, unnamed));
            refuseMisread(url, options);
            return of(options, unnamed);
        } catch (EngineOpenException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            // The parser's message holds the URL, password included: it is no cause to pass on.
            throw unreadable(url, reason(url, e));
        }
    }

    private static EngineOpenException unreadable(String url, String reason) {
        return new EngineOpenException(
                READABLE.matcher(url).replaceFirst("$1 … $2").trim(),
                "this is no R2DBC URL" + reason + ". One reads"
                        + " r2dbc:driver[:protocol]://[user:password@]host[:port]/database[?option=value],"
                        + " an in-memory one r2dbc:h2:mem:///name; what is special in a URL is written %40 and the like",
                null);
    }

    /**
     * A password with a '/', '?' or '#' ends the login: what is before it was taken for a host, and what is behind for a path.
     */
    private static void refuseMisread(String url, ConnectionFactoryOptions options) {
        boolean hosts = Stream.of(text(options, HOST).split(",", -1))
                .allMatch(host -> HOST_AND_PORT.matcher(host).matches());
        int query = url.indexOf('?');
        String address = query < 0 ? url : url.substring(0, query);
        int path = address.indexOf('/', address.indexOf("//") + 2);
        boolean atInPath = path >= 0
                && address.indexOf('@', path) >= 0
                && !text(options, DRIVER).equals("h2");
        if (!hosts || atInPath || url.indexOf('#') >= 0) {
            throw unreadable(url, " (in what stands before the @, a / is written %2F, a ? %3F and a # %23)");
        }
    }

    /**
     * Reads the options that stand for a URL.
     *
     * @param unnamed the name that the unnamed in-memory database gets
     */
    static EngineUrl of(ConnectionFactoryOptions given, String unnamed) {
        ConnectionFactoryOptions options = H2Memory.named(driverOnly(given), unnamed);
        EngineKey key = key(options);
        String redacted = key.toString().replace(unnamed, "");
        Map<Setting, Object> settings = settings(options, redacted);
        return new EngineUrl(key, withoutSettings(options), settings, named(options, settings), redacted);
    }

    /** A driver by the name that it has here, whichever of its names is used. */
    static String canonical(String driver) {
        return driver.equals("postgres") ? "postgresql" : driver;
    }

    private static ConnectionFactoryOptions driverOnly(ConnectionFactoryOptions given) {
        String driver = text(given, DRIVER);
        String protocol = text(given, PROTOCOL);
        if (driver.equals("pool")) {
            int colon = protocol.indexOf(':');
            driver = colon < 0 ? protocol : protocol.substring(0, colon);
            protocol = colon < 0 ? "" : protocol.substring(colon + 1);
        }
        return with(portApart(given), canonical(driver), protocol, text(given, DATABASE));
    }

    private static ConnectionFactoryOptions portApart(ConnectionFactoryOptions given) {
        Matcher both = UNSPLIT.matcher(text(given, HOST));
        return given.hasOption(PORT) || !both.matches()
                ? given
                : ConnectionFactoryOptions.builder()
                        .from(given)
                        .option(HOST, both.group(1))
                        .option(PORT, Integer.valueOf(both.group(2)))
                        .build();
    }

    static ConnectionFactoryOptions with(
            ConnectionFactoryOptions given, String driver, String protocol, String database) {
        ConnectionFactoryOptions.Builder builder = ConnectionFactoryOptions.builder()
                .from(given, option -> !Set.of(DRIVER, PROTOCOL, DATABASE).contains(option))
                .option(DRIVER, driver);
        if (!protocol.isEmpty()) {
            builder.option(PROTOCOL, protocol);
        }
        if (!database.isEmpty()) {
            builder.option(DATABASE, database);
        }
        return builder.build();
    }

    private static EngineKey key(ConnectionFactoryOptions options) {
        String database = text(options, DATABASE);
        if (H2Memory.isMeant(options)) {
            return EngineKey.ofMemory(text(options, DRIVER), H2Memory.name(database));
        }
        Map<String, Object> others = new TreeMap<>();
        each(options, (option, value) -> {
            if (isOfTheDriver(option)) {
                others.put(option.name(), comparable(value));
            }
        });
        String port = text(options, PORT);
        return new EngineKey(
                text(options, DRIVER),
                text(options, PROTOCOL),
                text(options, HOST),
                port.isEmpty() ? 0 : Integer.parseInt(port),
                text(options, USER),
                database,
                others);
    }

    private static Map<Setting, Object> settings(ConnectionFactoryOptions options, String redacted) {
        Map<Setting, Object> settings = new EnumMap<>(Setting.class);
        each(
                options,
                (option, value) -> Setting.meant(option.name()).ifPresent(setting -> {
                    try {
                        settings.put(setting, setting.read(option.name(), value));
                    } catch (IllegalArgumentException e) {
                        throw new EngineOpenException(redacted, "its setting " + e.getMessage(), e);
                    }
                }));
        return settings;
    }

    private static ConnectionFactoryOptions withoutSettings(ConnectionFactoryOptions options) {
        return ConnectionFactoryOptions.builder()
                .from(options, option -> Setting.named(option.name()).isEmpty())
                .build();
    }

    private static Map<String, Object> named(ConnectionFactoryOptions options, Map<Setting, Object> settings) {
        Map<String, Object> named = new TreeMap<>();
        settings.forEach((setting, value) -> named.put(setting.optionName(), value));
        each(options, (option, value) -> {
            if (option.equals(PASSWORD)) {
                named.put(option.name(), value.toString());
            }
        });
        if (H2Memory.isMeant(options)) {
            named.putAll(H2Memory.settings(options));
        }
        return named;
    }

    /** Neither identity nor password nor a setting of the pool. */
    static boolean isOfTheDriver(Option<?> option) {
        return !IDENTITY.contains(option)
                && !option.equals(PASSWORD)
                && Setting.named(option.name()).isEmpty();
    }

    static String text(ConnectionFactoryOptions options, Option<?> option) {
        Object value = options.getValue(option);
        return value == null ? "" : value.toString();
    }

    /** Text and numbers by what they say, since a URL has only text; anything else by itself. */
    static Object comparable(Object value) {
        return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
                ? value.toString()
                : value;
    }

    static void each(ConnectionFactoryOptions options, BiConsumer<Option<?>, Object> visitor) {
        ConnectionFactoryOptions.builder().from(options, option -> {
            visitor.accept(option, options.getRequiredValue(option));
            return false;
        });
    }

    private static String reason(String url, IllegalArgumentException e) {
        if (url.isBlank()) {
            return " (it is empty: is a setting or a variable missing?)";
        }
        Matcher misplaced = MISPLACED.matcher(url);
        if (misplaced.find()) {
            return " (" + misplaced.group(1) + " stands behind its ?, and belongs before it)";
        }
        if (url.startsWith("jdbc:")) {
            return " but one of JDBC";
        }
        return e.getCause() instanceof URISyntaxException syntax ? " (" + syntax.getReason() + ")" : "";
    }

    @Override
    public String toString() {
        return redacted;
    }
}
