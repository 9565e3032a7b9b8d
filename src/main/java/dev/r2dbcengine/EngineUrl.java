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
import java.util.function.UnaryOperator;
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

    /** The scheme and the driver of a URL that cannot be read. */
    private static final Pattern DRIVER_PREFIX = Pattern.compile("^(?:r2dbcs?|jdbc):\\w+");

    /** What may stand behind a host instead of a port, the beginning of a password perhaps. */
    private static final Pattern NO_PORT = Pattern.compile(":(?!\\d{1,5}(?:[/,]|$))[^/,]*");

    /** User and password, up to the last @ before the path. */
    private static final Pattern CREDENTIALS = Pattern.compile("^([^/?#]*//)([^/?#]*)(?=@)");

    /** A host with a port, the host perhaps an address in brackets. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[[^\\]]*]|[^:]*)(?::(\\d+))?");

    private static final Pattern IPV6 = Pattern.compile("[\\p{XDigit}.]*:[\\p{XDigit}.]*:[\\p{XDigit}:.]*");

    /** One host with its port, which the parser leaves together where the host has an underscore or the password an @. */
    private static final Pattern HOST_WITH_PORT = Pattern.compile("([^\\[\\]:,]+):(\\d{1,5})");

    /** An @ where the name of an option is expected. */
    private static final Pattern AT_IN_OPTION = Pattern.compile("[?&][^=&?]*@");

    private static final Pattern OPTION_IN_PATH = Pattern.compile("&[^&=]+=");

    private static final int MAX_PORT = 65_535;

    private static final Pattern MISPLACED = Pattern.compile("[?&](user|password|host|port|database|driver|protocol)=");

    private static final Set<Option<?>> IDENTITY = Set.of(DRIVER, PROTOCOL, HOST, PORT, USER, DATABASE);

    /**
     * Reads a URL.
     *
     * @param unnamed the name that the unnamed in-memory database gets
     */
    static EngineUrl parse(String url, String unnamed) {
        return parse(url, unnamed, UnaryOperator.identity(), SettingNames.DEFAULT);
    }

    /**
     * Reads a URL and completes its options.
     *
     * @param unnamed the name that the unnamed in-memory database gets
     * @param completion given the options of the URL
     */
    static EngineUrl parse(
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
            // The parser's message holds the URL, password included: it is no cause to pass on.
            throw unreadable(url, reason(url, e), names);
        }
    }

    /** A + in user or password is itself (RFC 3986); the parser would read a space. */
    private static String withLiteralPlus(String url) {
        return CREDENTIALS.matcher(url)
                .replaceFirst(found ->
                        Matcher.quoteReplacement(found.group(1) + found.group(2).replace("+", "%2B")));
    }

    private static EngineOpenException unreadable(String url, String reason, SettingNames names) {
        return new EngineOpenException(
                redactUnreadable(url),
                "this is no R2DBC URL" + reason
                        + names.in(". Correct {url}. It has the form"
                                + " r2dbc:driver[:protocol]://[user:password@]host[:port]/database[?option=value],"
                                + " in memory r2dbc:h2:mem:///name; a special character is written %40 and the like"),
                null);
    }

    /** Of a URL that cannot be read, what holds no secret: the driver, and the host and path if they are clear. */
    private static String redactUnreadable(String url) {
        Matcher driver = DRIVER_PREFIX.matcher(url);
        String start = (driver.find() ? driver.group() : "") + " … ";
        int at = url.lastIndexOf('@');
        int address = at < 0 ? url.indexOf("//") + 2 : at + 1;
        boolean unclear = address == 1 || url.substring(0, address).matches("(?s).*[?;#].*");
        String rest = unclear ? "" : url.substring(address).split("[?;#&]", 2)[0];
        return (start + NO_PORT.matcher(rest).replaceAll(":…")).trim();
    }

    /** Why a URL does not mean what the parser has read; empty if it does. */
    private static String misreadReason(String url, ConnectionFactoryOptions options) {
        String host = hostProblem(options);
        if (url.indexOf('#') >= 0 || hasCredentialsBehindHost(url, options, !host.isEmpty())) {
            return " (in what stands before the @, a / is written %2F, a ? %3F and a # %23)";
        }
        if (OPTION_IN_PATH.matcher(beforeQuery(url)).find()) {
            return " (its first option begins with a ?, further ones with a &)";
        }
        return host;
    }

    /** A password with a '/' or '?' ends the login: what is before was read as the host, what is behind as the path. */
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
                    ? " (an IPv6 address stands in brackets: [::1]:5432)"
                    : " (what stands behind the : of the host is no port; a port is a number)";
        }
        String port = parts.group(1);
        return port == null || isPort(port) ? "" : " (a port is a number from 1 to " + MAX_PORT + ")";
    }

    private static boolean isPort(String digits) {
        int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        return port >= 1 && port <= MAX_PORT;
    }

    /**
     * Reads the options that stand for a URL.
     *
     * @param unnamed the name that the unnamed in-memory database gets
     */
    static EngineUrl of(ConnectionFactoryOptions given, String unnamed) {
        return of(given, unnamed, SettingNames.DEFAULT);
    }

    static EngineUrl of(ConnectionFactoryOptions given, String unnamed, SettingNames names) {
        checkHost(given);
        ConnectionFactoryOptions options = H2Memory.named(driverOnly(given), unnamed);
        EngineKey key = key(options);
        String redacted = key.toString().replace(unnamed, "");
        String tls = TlsOptions.problem(options);
        if (tls != null) {
            throw new EngineOpenException(redacted, names.in(tls), null);
        }
        Map<Setting, Object> settings = settings(options, redacted);
        return new EngineUrl(key, withoutSettings(options), settings, named(options, settings), redacted);
    }

    /** Of options that another parser has read: a host that is none may be the beginning of a password. */
    private static void checkHost(ConnectionFactoryOptions given) {
        String problem = hostProblem(given);
        if (!problem.isEmpty()) {
            throw new EngineOpenException(
                    "r2dbc:" + text(given, DRIVER) + "://…", "its options name no host" + problem, null);
        }
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
        if (url.indexOf('\\') >= 0) {
            return " (a \\ is written %5C)";
        }
        if (url.indexOf(' ') >= 0) {
            return " (a space is written %20)";
        }
        return e.getCause() instanceof URISyntaxException syntax ? " (" + syntax.getReason() + ")" : "";
    }

    @Override
    public String toString() {
        return redacted;
    }
}
