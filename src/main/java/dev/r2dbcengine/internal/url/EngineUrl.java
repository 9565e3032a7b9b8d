package dev.r2dbcengine.internal.url;

import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PASSWORD;
import static io.r2dbc.spi.ConnectionFactoryOptions.PORT;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.net.URISyntaxException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A parsed URL: the identity of its engine, the options for the driver, and the settings for the pool.
 *
 * @param key the identity of the engine
 * @param options the options for the driver: without {@code pool:} and pool settings; an in-memory database has a name
 * @param settings the pool settings that the URL names
 * @param named the values on which all URLs of one engine must agree, including the password
 * @param redacted the URL for messages: no password and no options
 */
public record EngineUrl(
        EngineKey key,
        ConnectionFactoryOptions options,
        Map<Setting, Object> settings,
        Map<String, Object> named,
        String redacted) {

    /** The scheme and the driver of an invalid URL. */
    private static final Pattern DRIVER_PREFIX = Pattern.compile("^(?:r2dbcs?|jdbc):\\w+");

    /** Text after a host that is not a port; it may be the beginning of a password. */
    private static final Pattern NO_PORT = Pattern.compile(":(?!\\d{1,5}(?:[/,]|$))[^/,]*");

    /** User and password, up to the last @ before the path. */
    private static final Pattern CREDENTIALS = Pattern.compile("^([^/?#]*//)([^/?#]*)(?=@)");

    /** A host with an optional port; the host may be an address in brackets. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[[^\\]]*]|[^:]*)(?::(\\d+))?");

    private static final Pattern IPV6 = Pattern.compile("[\\p{XDigit}.]*:[\\p{XDigit}.]*:[\\p{XDigit}:.]*");

    /** A host with its port, which the parser does not split if the host has an underscore or the password an @. */
    private static final Pattern HOST_WITH_PORT = Pattern.compile("([^\\[\\]:,]+):(\\d{1,5})");

    /** An @ in the name of an option. */
    private static final Pattern AT_IN_OPTION = Pattern.compile("[?&][^=&?]*@");

    private static final Pattern OPTION_IN_PATH = Pattern.compile("&[^&=]+=");

    private static final int MAX_PORT = 65_535;

    private static final Pattern MISPLACED = Pattern.compile("[?&](user|password|host|port|database|driver|protocol)=");

    private static final Set<Option<?>> IDENTITY = Set.of(DRIVER, PROTOCOL, HOST, PORT, USER, DATABASE);

    /**
     * Parses a URL.
     *
     * @param unnamed the name for the unnamed in-memory database
     */
    public static EngineUrl parse(String url, String unnamed) {
        return parse(url, unnamed, UnaryOperator.identity(), SettingNames.DEFAULT);
    }

    /**
     * Parses a URL and completes its options.
     *
     * @param unnamed the name for the unnamed in-memory database
     * @param completion maps the options of the URL to complete options
     */
    public static EngineUrl parse(
            String url, String unnamed, UnaryOperator<ConnectionFactoryOptions> completion, SettingNames names) {
        return of(completion.apply(options(url, unnamed, names)), unnamed, names);
    }

    private static ConnectionFactoryOptions options(String url, String unnamed, SettingNames names) {
        try {
            ConnectionFactoryOptions options =
                    ConnectionFactoryOptions.parse(H2Memory.named(withLiteralPlus(url), unnamed));
            String misreadReason = misreadReason(url, options);
            if (!misreadReason.isEmpty()) {
                throw unreadable(url, misreadReason, names);
            }
            return options;
        } catch (IllegalArgumentException e) {
            // Without the cause, since its message contains the URL with the password.
            throw unreadable(url, reason(url, e), names);
        }
    }

    /** Escapes a + in user and password, which is literal by RFC 3986; the parser would decode it to a space. */
    private static String withLiteralPlus(String url) {
        return CREDENTIALS
                .matcher(url)
                .replaceFirst(found ->
                        Matcher.quoteReplacement(found.group(1) + found.group(2).replace("+", "%2B")));
    }

    private static EngineOpenException unreadable(String url, String reason, SettingNames names) {
        return new EngineOpenException(
                redactUnreadable(url),
                "this is not an R2DBC URL" + reason
                        + names.in(". Correct {url}. It has the form"
                                + " r2dbc:driver[:protocol]://[user:password@]host[:port]/database[?option=value],"
                                + " in memory r2dbc:h2:mem:///name; percent-encode special characters, @ as %40"),
                null);
    }

    /** Redacts an invalid URL to its driver, and its host and path where they are unambiguous. */
    private static String redactUnreadable(String url) {
        Matcher driver = DRIVER_PREFIX.matcher(url);
        String start = (driver.find() ? driver.group() : "") + " … ";
        int at = url.lastIndexOf('@');
        int address = at < 0 ? url.indexOf("//") + 2 : at + 1;
        boolean unclear = address == 1 || url.substring(0, address).matches("(?s).*[?;#].*");
        String rest = unclear ? "" : url.substring(address).split("[?;#&]", 2)[0];
        return (start + NO_PORT.matcher(rest).replaceAll(":…")).trim();
    }

    /** Returns why the parser misread a URL; empty if it did not. */
    private static String misreadReason(String url, ConnectionFactoryOptions options) {
        String host = hostProblem(options);
        if (url.indexOf('#') >= 0 || hasCredentialsBehindHost(url, options, !host.isEmpty())) {
            return " (in user and password, write / as %2F, ? as %3F and # as %23)";
        }
        if (OPTION_IN_PATH.matcher(beforeQuery(url)).find()) {
            return " (the first option begins with a ?, further ones with a &)";
        }
        return host;
    }

    /** A '/' or '?' in a password ends the authority: the parser reads the text before it as host, after it as path. */
    private static boolean hasCredentialsBehindHost(String url, ConnectionFactoryOptions options, boolean hostIsWrong) {
        String address = beforeQuery(url);
        int path = address.indexOf('/', address.indexOf("//") + 2);
        String authority = path < 0 ? address : address.substring(0, path);
        boolean later = authority.indexOf('@') < 0 && url.indexOf('@') >= 0;
        boolean pathBehindAt = path < 0 && url.indexOf('/', url.lastIndexOf('@')) >= 0;
        boolean inPath = path >= 0
                && address.indexOf('@', path) >= 0
                && !text(options, DRIVER).equals("h2");
        return inPath
                || (later && (hostIsWrong || pathBehindAt))
                || AT_IN_OPTION.matcher(url.substring(address.length())).find();
    }

    private static String beforeQuery(String url) {
        return url.split("\\?", 2)[0];
    }

    private static String hostProblem(ConnectionFactoryOptions options) {
        String port = text(options, PORT);
        return Stream.concat(Stream.of(text(options, HOST).split(",", -1)), Stream.of(port.isEmpty() ? "" : ":" + port))
                .map(EngineUrl::hostProblem)
                .filter(problem -> !problem.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String hostProblem(String host) {
        Matcher parts = HOST_AND_PORT.matcher(host);
        if (!parts.matches()) {
            return IPV6.matcher(host).matches()
                    ? " (write an IPv6 address in brackets: [::1]:5432)"
                    : " (the text after the : of the host is not a port; a port is a number)";
        }
        String port = parts.group(1);
        return port == null || isPort(port) ? "" : " (a port is a number from 1 to " + MAX_PORT + ")";
    }

    private static boolean isPort(String digits) {
        int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        return port >= 1 && port <= MAX_PORT;
    }

    /**
     * Parses options instead of a URL.
     *
     * @param unnamed the name for the unnamed in-memory database
     */
    public static EngineUrl of(ConnectionFactoryOptions given, String unnamed) {
        return of(given, unnamed, SettingNames.DEFAULT);
    }

    public static EngineUrl of(ConnectionFactoryOptions given, String unnamed, SettingNames names) {
        checkHost(given);
        ConnectionFactoryOptions options = H2Memory.named(withCanonicalHosts(driverOnly(given)), unnamed);
        EngineKey key = key(options);
        String redacted = key.toString().replace(unnamed, "");
        String tls = TlsOptions.problem(options);
        if (tls != null) {
            throw new EngineOpenException(redacted, names.in(tls), null);
        }
        Map<Setting, Object> settings = settings(options, redacted);
        return new EngineUrl(key, withoutSettings(options), settings, named(options, settings), redacted);
    }

    /** Rejects an invalid host of options that another parser has read, since it may be part of a password. */
    private static void checkHost(ConnectionFactoryOptions given) {
        String problem = hostProblem(given);
        if (!problem.isEmpty()) {
            throw new EngineOpenException(
                    "r2dbc:" + text(given, DRIVER) + "://…", "its options do not contain a valid host" + problem, null);
        }
    }

    private static ConnectionFactoryOptions withCanonicalHosts(ConnectionFactoryOptions given) {
        try {
            return HostList.canonical(given);
        } catch (IllegalArgumentException e) {
            throw new EngineOpenException(key(given).toString(), String.valueOf(e.getMessage()), null);
        }
    }

    /** Returns the canonical name of a driver. */
    public static String canonical(String driver) {
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
        return with(splitPort(given), canonical(driver), protocol, text(given, DATABASE));
    }

    private static ConnectionFactoryOptions splitPort(ConnectionFactoryOptions given) {
        Matcher both = HOST_WITH_PORT.matcher(text(given, HOST));
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
        if (H2Memory.matches(options)) {
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
                (option, value) -> Setting.ofSpelling(option.name()).ifPresent(setting -> {
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
        if (H2Memory.matches(options)) {
            named.putAll(H2Memory.settings(options));
        }
        return named;
    }

    /** Returns whether an option is neither part of the identity, nor the password, nor a pool setting. */
    static boolean isOfTheDriver(Option<?> option) {
        return !IDENTITY.contains(option)
                && !option.equals(PASSWORD)
                && Setting.named(option.name()).isEmpty();
    }

    static String text(ConnectionFactoryOptions options, Option<?> option) {
        Object value = options.getValue(option);
        return value == null ? "" : value.toString();
    }

    /** Converts text, numbers and booleans to text, since a URL contains only text; other values are unchanged. */
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
            return " (" + misplaced.group(1) + " is an option after the ?, but belongs before it)";
        }
        if (url.startsWith("jdbc:")) {
            return " but a JDBC URL";
        }
        if (url.indexOf('\\') >= 0) {
            return " (write \\ as %5C)";
        }
        if (url.indexOf(' ') >= 0) {
            return " (write a space as %20)";
        }
        return e.getCause() instanceof URISyntaxException syntax ? " (" + syntax.getReason() + ")" : "";
    }

    @Override
    public String toString() {
        return redacted;
    }
}
