package dev.r2dbcengine.internal.url;

import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The TLS options of a driver. Drivers ignore unknown options and would then connect without encryption, so this class
 * rejects options that request TLS but that the driver does not read.
 *
 * @param modes options that enable TLS, each sufficient
 * @param others further options of the driver, which have no effect unless TLS is enabled
 * @param encrypt the option that encrypts without verifying the certificate
 * @param verify the options that also verify the certificate
 * @param authority the option that names the CA certificate
 */
public record TlsOptions(Set<String> modes, Set<String> others, String encrypt, String verify, String authority) {

    /** By driver: r2dbc-postgresql 1.1, r2dbc-mariadb 1.4, io.asyncer:r2dbc-mysql 1.4. */
    private static final Map<String, TlsOptions> DRIVERS = Map.of(
            "postgresql",
            new TlsOptions(
                    Set.of("ssl", "sslMode", "sslmode"),
                    Set.of(
                            "sslCert",
                            "sslContextBuilderCustomizer",
                            "sslHostnameVerifier",
                            "sslKey",
                            "sslNegotiation",
                            "sslnegotiation",
                            "sslPassword",
                            "sslRootCert",
                            "sslSni"),
                    "sslMode=require",
                    "sslMode=verify-full&sslRootCert=…",
                    "sslRootCert"),
            "mariadb",
            new TlsOptions(
                    Set.of("sslMode"),
                    Set.of(
                            "clientSslCert",
                            "clientSslKey",
                            "clientSslPassword",
                            "fallbackToSystemKeyStore",
                            "fallbackToSystemTrustStore",
                            "serverSslCert",
                            "sslContextBuilderCustomizer",
                            "sslTunnelDisableHostVerification",
                            "tlsProtocol"),
                    "sslMode=trust",
                    "sslMode=verify-full&serverSslCert=…",
                    "serverSslCert"),
            "mysql",
            new TlsOptions(
                    Set.of("ssl", "sslMode"),
                    Set.of(
                            "sslCa",
                            "sslCert",
                            "sslContextBuilderCustomizer",
                            "sslHostnameVerifier",
                            "sslKey",
                            "sslKeyPassword",
                            "tlsVersion"),
                    "sslMode=required",
                    "sslMode=verify_identity&sslCa=…",
                    "sslCa"));

    private static final TlsOptions UNKNOWN = new TlsOptions(Set.of(), Set.of(), "TLS", "TLS", "an option");

    private static final Pattern ABOUT_TLS =
            Pattern.compile("ssl|tls|encrypt|certificate|truststore|keystore", Pattern.CASE_INSENSITIVE);

    private static final Set<String> OFF = Set.of("", "0", "false", "no", "off", "disable", "disabled", "none");

    public static TlsOptions of(String driver) {
        return DRIVERS.getOrDefault(driver, UNKNOWN);
    }

    /** Returns why the driver would ignore options that request TLS; null if it would not. */
    static @Nullable String problem(ConnectionFactoryOptions options) {
        TlsOptions driver = DRIVERS.get(EngineUrl.text(options, ConnectionFactoryOptions.DRIVER));
        return driver == null ? null : driver.ignored(requested(options));
    }

    private @Nullable String ignored(Set<String> requested) {
        return requested.stream()
                .filter(name -> !modes.contains(name)
                        && (!others.contains(name) || requested.stream().noneMatch(modes::contains)))
                .findFirst()
                .map(name -> "the driver would ignore '" + name + "' and connect without TLS. Write " + verify
                        + " in {url}, or " + encrypt + " to encrypt without verifying the certificate")
                .orElse(null);
    }

    /** Returns whether any option requests TLS. */
    public static boolean isRequested(ConnectionFactoryOptions options) {
        return !requested(options).isEmpty();
    }

    /** Returns the names of the options that request TLS. */
    private static Set<String> requested(ConnectionFactoryOptions options) {
        Set<String> names = new TreeSet<>();
        EngineUrl.each(options, (option, value) -> {
            if (ABOUT_TLS.matcher(option.name()).find() && !isOff(value)) {
                names.add(option.name());
            }
        });
        return names;
    }

    private static boolean isOff(Object value) {
        return OFF.contains(value.toString().trim().toLowerCase(Locale.ROOT));
    }
}
