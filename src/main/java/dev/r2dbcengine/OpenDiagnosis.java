package dev.r2dbcengine;

import dev.r2dbcengine.internal.url.EngineKey;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.H2Memory;
import dev.r2dbcengine.internal.url.SettingNames;
import dev.r2dbcengine.internal.url.TlsOptions;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionFactoryProvider;
import io.r2dbc.spi.NoSuchOptionException;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertificateException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Explains why an engine failed to open and what to do. Omits the driver's message, since it may contain values. */
final class OpenDiagnosis {

    private static final int MAX_CAUSES = 10;

    private static final Map<String, String> DRIVERS = Map.of(
            "h2", "io.r2dbc:r2dbc-h2 and com.h2database:h2",
            "postgresql", "org.postgresql:r2dbc-postgresql",
            "mariadb", "org.mariadb:r2dbc-mariadb",
            "mysql", "io.asyncer:r2dbc-mysql");

    /**
     * A known reason for a failure.
     *
     * @param matches whether an exception in the chain of causes has this reason
     * @param problem what happened; {@code {…}} is a value or the name of a setting
     * @param advice what to do
     */
    private record Reason(Predicate<Throwable> matches, String problem, String advice) {}

    private static final Reason OPTION = new Reason(
            error -> error instanceof IllegalArgumentException || error instanceof DateTimeException,
            "the driver does not accept the value of an option",
            "The cause names the value. Correct the options after the ? of {url}");

    /** Applies only if the URL requests TLS: the driver may report the closed connection before the reason. */
    private static final Reason TLS_HANDSHAKE = new Reason(
            error -> hasState(error, "08003", "08006") || says(error, "Connection unexpectedly closed"),
            "the server closed the connection during the TLS handshake: TLS is requested, but the server does not"
                    + " support it, or it is not such a database",
            "Enable TLS on the server, or remove r2dbcs:, ssl and sslMode from {url} to connect without TLS; check its"
                    + " port as well");

    private static final Reason UNKNOWN = new Reason(error -> true, "the driver failed", "The cause says more");

    /** The first match is the diagnosis, so specific reasons precede general ones. */
    private static final List<Reason> REASONS = List.of(
            new Reason(
                    error -> isMissing(error, ConnectionFactoryOptions.HOST)
                            || says(error, "configured for socket connections and not for host"),
                    "no host is named",
                    "Write it into {url}: r2dbc:{driver}://host:port/database"),
            new Reason(
                    error -> isMissing(error, ConnectionFactoryOptions.USER),
                    "no user is named",
                    "Set user and password: {credentials}"),
            new Reason(
                    NoSuchOptionException.class::isInstance,
                    "the driver needs an option that is missing",
                    "The cause names it. Add it to {url}"),
            new Reason(
                    error -> says(error, "Password must not be null", "using password: NO"),
                    "the server requires a password, but none is given",
                    "Set the password: {credentials}"),
            new Reason(
                    error -> says(
                            error,
                            "Server support for SSL connection is disabled",
                            "Server does not support SSL",
                            "ssl not enabled in the server"),
                    "TLS is requested, but the server does not support it",
                    "Enable TLS on the server, or remove r2dbcs:, ssl and sslMode from {url} to connect without TLS"),
            new Reason(
                    error -> says(error, "No serverSslCert file"),
                    "the certificate of the server cannot be verified without a CA certificate",
                    "Add {tlsAuthority}=/path/ca.pem to {url}, or fallbackToSystemTrustStore=true for a public"
                            + " CA"),
            new Reason(
                    error -> error instanceof CertificateException || says(error, "PKIX", "No name matching"),
                    "the certificate of the server is not trusted, or was issued for another host",
                    "Add its CA certificate to {url}, {tlsAuthority}=/path/ca.pem, and write the host as in the"
                            + " certificate"),
            new Reason(
                    error -> error.getClass().getSimpleName().matches("SSL.*Exception|NotSslRecordException")
                            || says(error, "SSLResponse"),
                    "the TLS handshake failed",
                    "Check that the port of {url} is that of a database with TLS; the cause says more"),
            new Reason(
                    error -> hasCode(error, 3159) || says(error, "no encryption", "SSL off"),
                    "the server accepts only connections with TLS",
                    "Add {tls} to {url}"),
            new Reason(
                    error -> says(error, "must require SSL in full authentication"),
                    "the server needs TLS to check the password of this user (caching_sha2_password)",
                    "Add {tls} to {url}"),
            new Reason(
                    error -> says(error, "no pg_hba.conf entry"),
                    "the server does not allow this user to connect to this database from this host",
                    "Add an entry to its pg_hba.conf, or check user, database and host in {url}"),
            new Reason(
                    error -> hasCode(error, 1044) || hasState(error, "42501"),
                    "the user is not allowed to use the database '{database}', or it does not exist",
                    "Grant the access or create the database, or correct its name at the end of {url}"),
            new Reason(
                    error -> hasState(error, "3D", "90146", "90149") || hasCode(error, 1049),
                    "the server has no database of that name: '{database}'",
                    "Create it, or correct the name at the end of {url}"),
            new Reason(
                    error -> (hasState(error, "28000") && says(error, "not permitted to log in"))
                            || hasCode(error, 4151, 3118),
                    "the user may not log in: the account is locked or has no login",
                    "Unlock it on the server, or use another user: {credentials}"),
            new Reason(
                    error -> error instanceof R2dbcPermissionDeniedException
                            || hasState(error, "28")
                            || hasCode(error, 1045, 1698),
                    "the database refused the login",
                    "Check user and password: {credentials}. A server that requires TLS may also answer this"),
            new Reason(
                    error -> hasState(error, "57P03", "57P01", "57P02") || hasCode(error, 1053, 1927),
                    "the server runs, but accepts no connections at the moment: it is starting or stopping",
                    "Try again later; migrations wait by {connectTimeout}"),
            new Reason(
                    error -> hasState(error, "53300") || hasCode(error, 1040, 1203, 1226),
                    "the server has no connection left for this user or database",
                    "Lower {maxSize}, close other clients, or raise the limit of the server"),
            new Reason(
                    error -> hasCode(error, 1129, 1130),
                    "the server accepts no connections from this host",
                    "Allow the host for the user on the server (user@host), or lift the block with FLUSH HOSTS"),
            new Reason(
                    error -> hasState(error, "08P01", "22023", "42704") || says(error, "startup parameter"),
                    "the server, or a proxy before it, refused an option of the connection",
                    "The cause names it. Remove it from {url}; for extra_float_digits, pgbouncer needs"
                            + " ignore_startup_parameters = extra_float_digits"),
            new Reason(
                    error -> hasState(error, "90020"),
                    "another process has locked the database file",
                    "End that process, or add ;AUTO_SERVER=TRUE to the path in {url} of both"),
            new Reason(
                    error -> hasState(error, "90011", "90046", "90088", "90113", "90062", "90031"),
                    "H2 rejects the text after file:/// or mem:///",
                    "The cause says why. Correct the path or the settings in {url}"),
            new Reason(
                    error -> error instanceof FileNotFoundException || error instanceof NoSuchFileException,
                    "a file that an option names cannot be read",
                    "The cause names it. Correct the options after the ? of {url}"),
            new Reason(
                    DateTimeException.class::isInstance,
                    "the driver does not accept a time, a duration or a time zone in the options",
                    "The cause names it. A time zone is written Europe/Paris or UTC, a duration PT10S: correct {url}"),
            TLS_HANDSHAKE,
            new Reason(
                    error -> says(
                            error,
                            "not a valid authentication type",
                            "Received packet size",
                            "Connection unexpectedly closed"),
                    "the server closed the connection, or does not speak the protocol of the driver '{driver}'",
                    "Check that the port of {url} is that of such a database, and not of another program or of a proxy"
                            + " whose database is down"),
            new Reason(
                    UnknownHostException.class::isInstance,
                    "the host name is unknown: the database could not be reached",
                    "Check the host in {url}, and the DNS of this machine"),
            new Reason(
                    ConnectException.class::isInstance,
                    "nothing listens on this port: the database could not be reached",
                    "Is it up, and are host and port right in {url}?"),
            new Reason(
                    R2dbcTimeoutException.class::isInstance,
                    "the database did not answer in time",
                    "Is it up, reachable from here, and is the port of {url} that of such a database?"
                            + " {maxCreateConnectionTime} and {maxAcquireTime} limit the wait"),
            new Reason(
                    error -> error instanceof R2dbcNonTransientResourceException || error instanceof IOException,
                    "the database could not be reached",
                    "Is it up, and are host and port right in {url}?"));

    private static final Reason INIT = new Reason(
            R2dbcException.class::isInstance,
            "H2 failed in the statements of INIT",
            "Each new connection runs them, so they must be repeatable (create table if not exists). Separate them"
                    + " by \\; after the name of the database (%5C; in {url}), or by ; (%3B) in ?INIT=…; migrations"
                    + " and initializer(…) run only once");

    private static final Reason PROTOCOL = new Reason(
            error -> true,
            "H2 needs a protocol, mem or file",
            "Write r2dbc:h2:mem:///shop or r2dbc:h2:file:///./shop into {url}");

    private OpenDiagnosis() {}

    static String noDriver(EngineKey key, SettingNames names) {
        if (needsProtocol(key)) {
            return PROTOCOL.problem() + names.in(". " + PROTOCOL.advice());
        }
        String coordinates = DRIVERS.get(key.driver());
        return "no driver on the class path accepts this URL"
                + (coordinates == null
                        ? ", and '" + key.driver() + "' is not a known driver. Correct it"
                                + names.in(" in {url}, or add it to {dependencies}")
                        : ". Add the driver '" + key.driver() + "'" + names.in(" to {dependencies}: ") + coordinates)
                + ". Available drivers: " + drivers();
    }

    private static String drivers() {
        return ServiceLoader.load(ConnectionFactoryProvider.class).stream()
                .map(provider -> provider.get().getDriver())
                .filter(driver -> !driver.equals("pool"))
                .collect(Collectors.collectingAndThen(
                        Collectors.toCollection(TreeSet::new),
                        found -> found.isEmpty() ? "none" : String.join(", ", found)));
    }

    static String of(EngineUrl url, Throwable error, SettingNames names) {
        boolean tls = TlsOptions.isRequested(url.options());
        return Stream.concat(urlReasons(url, error), REASONS.stream())
                .filter(reason -> tls || !reason.equals(TLS_HANDSHAKE))
                .flatMap(reason -> causes(error)
                        .filter(reason.matches())
                        .limit(1)
                        .map(found -> message(url, reason, found, names)))
                .findFirst()
                .orElseGet(() -> message(url, OPTION.matches().test(error) ? OPTION : UNKNOWN, error, names));
    }

    /** Returns reasons that depend on the URL: H2 without a protocol, or with an INIT setting. */
    private static Stream<Reason> urlReasons(EngineUrl url, Throwable error) {
        if (needsProtocol(url.key())) {
            return Stream.of(PROTOCOL);
        }
        boolean init = url.key().driver().equals("h2")
                && H2Memory.settings(url.options()).containsKey("INIT")
                && causes(error).noneMatch(cause -> hasState(cause, "28", "90"));
        return init ? Stream.of(INIT) : Stream.empty();
    }

    private static boolean needsProtocol(EngineKey key) {
        return key.driver().equals("h2")
                && !key.protocol().equals("mem")
                && !key.protocol().equals("file");
    }

    private static String message(EngineUrl url, Reason reason, Throwable found, SettingNames names) {
        TlsOptions tls = TlsOptions.of(url.key().driver());
        Map<String, String> values = Map.of(
                "driver", url.key().driver(),
                "database", url.key().databaseShown(),
                "tls", tls.encrypt() + " or " + tls.verify(),
                "tlsAuthority", tls.authority());
        return names.replaced(reason.problem(), values)
                + " (" + type(found) + "). "
                + names.replaced(reason.advice(), values);
    }

    private static String type(Throwable found) {
        String type = found.getClass().getSimpleName();
        if (!(found instanceof R2dbcException driver)) {
            return type;
        }
        String state = Objects.requireNonNullElse(driver.getSqlState(), "");
        String code = String.valueOf(driver.getErrorCode());
        return type
                + (state.isEmpty() ? "" : ", SQLSTATE " + state)
                + (code.equals("0") || code.equals(state) ? "" : ", code " + code);
    }

    private static boolean isMissing(Throwable error, Option<?> option) {
        return error instanceof NoSuchOptionException missing
                && missing.getOption().equals(option);
    }

    private static boolean says(Throwable error, String... parts) {
        String message = Objects.requireNonNullElse(error.getMessage(), "");
        return Stream.of(parts).anyMatch(message::contains);
    }

    private static boolean hasState(Throwable error, String... beginnings) {
        String state = error instanceof R2dbcException driver ? driver.getSqlState() : null;
        return state != null && Stream.of(beginnings).anyMatch(state::startsWith);
    }

    private static boolean hasCode(Throwable error, int... codes) {
        return error instanceof R2dbcException driver
                && IntStream.of(codes).anyMatch(code -> code == driver.getErrorCode());
    }

    /* Some drivers report a rejected login only as the cause of a failed connection. */
    private static Stream<Throwable> causes(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
    }
}
