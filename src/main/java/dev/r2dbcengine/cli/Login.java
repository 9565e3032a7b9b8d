package dev.r2dbcengine.cli;

import dev.r2dbcengine.Credentials;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.cli.Settings.Value;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The URL and the credentials of the database.
 *
 * @param url the R2DBC URL
 * @param from the flag, variable or key that sets the URL, for messages
 * @param user null for the user of the URL
 * @param password null for the password of the URL; never shown
 */
record Login(
        String url,
        String from,
        @Nullable String user,
        @Nullable String password) {

    /** Everything in a JDBC URL except driver, host, port and path may be a secret. */
    private static final Pattern JDBC =
            Pattern.compile("jdbc:(?:(postgresql|mariadb)://(?:[^@/?;#]*@)?|h2:(mem:|file:)?)([^?;&#]*).*");

    private static final String HOST = "(?:\\[[\\p{XDigit}:.]+]|[\\w.-]+)(?::\\d+)?";
    private static final Pattern HOSTS_AND_PATH = Pattern.compile(HOST + "(?:," + HOST + ")*(?:/[^:]*)?");
    private static final Pattern FILE = Pattern.compile("(?:[A-Za-z]:)?[^:]*");

    private static final Pattern PASSWORD_IN_URL =
            Pattern.compile("[^/]*//[^/?#]*:[^/?#]*@.*|.*[?&]\\w*password=.*", Pattern.CASE_INSENSITIVE);

    static final String VISIBLE_PASSWORD =
            "--url contains a password, which other users can read in the list of processes."
                    + " Set R2E_URL or R2E_PASSWORD, or give --password-file or --ask-password";

    /** Leaves time to cancel the query of a read, and to report one that does not end before the process exits. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);

    static Login of(Configuration settings) {
        Value url = settings.value(RunSetting.URL)
                .orElseThrow(() -> new WrongUsageException(
                        "No database URL is set. Give --url r2dbc:postgresql://host:5432/db, or set R2E_URL"));
        if (url.text().startsWith("jdbc:")) {
            boolean mayStay = !RunSetting.URL.flags().contains(url.from());
            throw new WrongUsageException(url.from() + " is a JDBC URL, but an R2DBC URL is required. "
                    + (mayStay ? "Leave it for Flyway and add --url " : "Give --url ") + r2dbc(url.text())
                    + (mayStay ? ", which takes precedence" : ""));
        }
        if (!url.text().startsWith("r2dbc:") && !url.text().startsWith("r2dbcs:")) {
            throw new WrongUsageException(
                    url.from() + " is not an R2DBC URL. Write it like r2dbc:postgresql://host:5432/db");
        }
        return new Login(
                url.text(),
                url.from(),
                settings.value(RunSetting.USER).map(Value::text).orElse(null),
                settings.places().stream()
                        .flatMap(place -> password(place).stream())
                        .findFirst()
                        .orElse(null));
    }

    /* The R2DBC form of a JDBC URL, without the parts that may hold a password. */
    private static String r2dbc(String jdbc) {
        Matcher url = JDBC.matcher(jdbc);
        if (!url.matches() || jdbc.indexOf('@', url.start(3)) >= 0) {
            return "r2dbc:…";
        }
        boolean isFile = url.group(1) == null;
        if (!(isFile ? FILE : HOSTS_AND_PATH).matcher(url.group(3)).matches()) {
            return "r2dbc:…";
        }
        String h2 = "h2:" + Objects.requireNonNullElse(url.group(2), "file:") + "///";
        return "r2dbc:" + (isFile ? h2 : url.group(1) + "://") + url.group(3);
    }

    private static Optional<String> password(Settings place) {
        return place.value(RunSetting.PASSWORD)
                .map(Value::text)
                .or(() -> place.value(RunSetting.PASSWORD_FILE).map(Login::firstLine));
    }

    private static String firstLine(Value file) {
        try {
            return Files.readString(Path.of(file.text())).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new WrongUsageException(file.from() + ": " + file.text() + " cannot be read", e);
        }
    }

    /** Returns whether the list of processes shows a password. */
    boolean showsPassword() {
        return RunSetting.URL.flags().contains(from) && isWithPassword(url);
    }

    static boolean isWithPassword(String url) {
        return PASSWORD_IN_URL.matcher(url).matches();
    }

    Login withPassword(String asked) {
        return new Login(url, from, user, asked);
    }

    ReactiveEngineCache engines() {
        ReactiveEngineCache.Builder builder =
                ReactiveEngineCache.builder().settingNames(settingNames()).closeTimeout(CLOSE_TIMEOUT);
        return (user == null && password == null ? builder : builder.credentials(this::credentials)).build();
    }

    private Map<String, String> settingNames() {
        return Map.of(
                "url", from,
                "credentials", "--user, and --ask-password, --password-file or R2E_PASSWORD",
                "dependencies", "the class path of the command",
                "connectTimeout", "--wait",
                "maxSize", "?maxSize=… in " + from,
                "maxCreateConnectionTime", "?maxCreateConnectionTime=PT30S in " + from,
                "maxAcquireTime", "maxAcquireTime there");
    }

    private Mono<Credentials> credentials(ConnectionFactoryOptions options) {
        return Mono.fromSupplier(() -> new Credentials(
                Objects.requireNonNullElseGet(user, () -> of(options, ConnectionFactoryOptions.USER)),
                Objects.requireNonNullElseGet(password, () -> of(options, ConnectionFactoryOptions.PASSWORD))));
    }

    private static String of(ConnectionFactoryOptions options, io.r2dbc.spi.Option<? extends CharSequence> option) {
        return Objects.requireNonNullElse(options.getValue(option), "").toString();
    }

    @Override
    public String toString() {
        return "Login[user=" + user + "]";
    }
}
