package dev.r2dbcengine.internal.url;

import static dev.r2dbcengine.internal.url.EngineUrl.text;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PORT;
import static io.r2dbc.spi.ConnectionFactoryOptions.PROTOCOL;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a URL, one of which the engine chooses for each connection. The driver gets the options of that host alone,
 * so that its own choice of hosts is not involved: r2dbc-postgresql waits without limit for a host that does not answer, and
 * r2dbc-mariadb replaces a lost session within an open connection.
 *
 * @param hosts each as {@code host:port}, in the order of the URL
 * @param balanced whether connections are distributed over the hosts, instead of using the first that answers
 * @param target the servers to connect to
 */
public record HostList(List<String> hosts, boolean balanced, Target target) {

    /** The servers to connect to. */
    public enum Target {
        ANY,
        PRIMARY,
        SECONDARY,
        PREFER_PRIMARY,
        PREFER_SECONDARY;

        /** Returns whether a server with this role is the target or preferred. */
        public boolean matches(boolean primary) {
            return this == ANY || primary == (this == PRIMARY || this == PREFER_PRIMARY);
        }

        /** Returns whether other servers are accepted if no server of the target answers. */
        public boolean isPreference() {
            return this == PREFER_PRIMARY || this == PREFER_SECONDARY;
        }

        /** Returns the name in URLs. */
        public String text() {
            return Setting.camelCase(name());
        }

        private static Target of(String text) {
            String letters = letters(text).replace("master", "primary");
            return Arrays.stream(values())
                    .filter(target -> letters(target.name()).equals(letters))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("its option " + TARGET.name() + " has the value '"
                            + text + "', and must be any, primary, secondary, preferPrimary or preferSecondary"));
        }
    }

    private static final Option<Object> TARGET = Option.valueOf("targetServerType");

    /** The modes of the drivers, by the name of the protocol; true if connections are distributed over the hosts. */
    private static final Map<String, Boolean> MODES = Map.of(
            "", false,
            "none", false,
            "failover", false,
            "sequential", false,
            "loadbalance", true,
            "loadbalancing", true);

    private static final String BALANCED = "loadbalance";

    /** Options with which the drivers choose a host, in lower case. */
    private static final Set<String> OF_THE_CHOICE =
            Set.of("targetservertype", "loadbalancehosts", "hamode", "hostrechecktime");

    private static String letters(String text) {
        return text.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the options in one spelling for equal lists: each host with its port, the protocol {@code loadbalance} or none,
     * and the target. Options of drivers that do not know several hosts are unchanged.
     */
    static ConnectionFactoryOptions canonical(ConnectionFactoryOptions given) {
        String driver = text(given, DRIVER);
        Boolean balanced = MODES.get(letters(mode(given)));
        if (!EngineKey.hasHosts(driver) || balanced == null || text(given, HOST).isEmpty()) {
            return given;
        }
        List<String> hosts = hosts(given, driver);
        boolean list = hosts.size() > 1;
        ConnectionFactoryOptions.Builder builder = ConnectionFactoryOptions.builder()
                .from(
                        given,
                        option -> !option.equals(PROTOCOL) && !isOfTheChoice(option) && !(list && option.equals(PORT)));
        if (list) {
            builder.option(HOST, String.join(",", hosts));
        }
        boolean distributes =
                list && (balanced || spelled(given, "loadbalancehosts").equalsIgnoreCase("true"));
        if (distributes) {
            builder.option(PROTOCOL, BALANCED);
        }
        String target = spelled(given, "targetservertype");
        if (!target.isEmpty() && Target.of(target) != defaultTarget(list, distributes)) {
            builder.option(TARGET, Target.of(target).text());
        }
        return builder.build();
    }

    private static boolean isOfTheChoice(Option<?> option) {
        return OF_THE_CHOICE.contains(option.name().toLowerCase(Locale.ROOT));
    }

    private static String mode(ConnectionFactoryOptions given) {
        return text(given, PROTOCOL).isEmpty() ? spelled(given, "hamode") : text(given, PROTOCOL);
    }

    private static String spelled(ConnectionFactoryOptions given, String lowerCase) {
        StringBuilder found = new StringBuilder();
        EngineUrl.each(given, (option, value) -> {
            if (option.name().toLowerCase(Locale.ROOT).equals(lowerCase)) {
                found.append(value);
            }
        });
        return found.toString();
    }

    private static List<String> hosts(ConnectionFactoryOptions given, String driver) {
        String port = text(given, PORT).isEmpty() ? String.valueOf(EngineKey.defaultPort(driver)) : text(given, PORT);
        return Arrays.stream(text(given, HOST).split(","))
                .map(String::trim)
                .map(host -> host.matches(".*:\\d+") ? host : host + ":" + port)
                .map(host -> host.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the hosts of canonical options; null if there is nothing to choose or to check. */
    public static @Nullable HostList of(ConnectionFactoryOptions options) {
        boolean list = text(options, HOST).contains(",");
        String target = text(options, TARGET);
        String driver = text(options, DRIVER);
        if (!EngineKey.hasHosts(driver) || !(list || !target.isEmpty())) {
            return null;
        }
        boolean balanced = text(options, PROTOCOL).equals(BALANCED);
        return new HostList(
                hosts(options, driver), balanced, target.isEmpty() ? defaultTarget(list, balanced) : Target.of(target));
    }

    private static Target defaultTarget(boolean list, boolean balanced) {
        return list && !balanced ? Target.PREFER_PRIMARY : Target.ANY;
    }

    /** Returns the options of one host for its driver. */
    public ConnectionFactoryOptions options(int host, ConnectionFactoryOptions all) {
        String address = hosts.get(host);
        int colon = address.lastIndexOf(':');
        return ConnectionFactoryOptions.builder()
                .from(all, option -> !Set.<Option<?>>of(PROTOCOL, PORT, TARGET).contains(option))
                .option(HOST, address.substring(0, colon))
                .option(PORT, Integer.valueOf(address.substring(colon + 1)))
                .build();
    }

    @Override
    public String toString() {
        return String.join(", ", hosts);
    }
}
