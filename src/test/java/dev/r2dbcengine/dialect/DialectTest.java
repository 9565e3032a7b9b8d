package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DialectTest {

    @ParameterizedTest
    @CsvSource({
        "h2,H2",
        "postgresql,PostgreSQL",
        "postgres,PostgreSQL",
        "mariadb,MariaDB",
        "mysql,MySQL",
        "MySQL,MySQL",
        "oracle,ANSI"
    })
    void isFoundByTheDriverOfUrl(String driver, String name) {
        assertThat(Dialect.ofDriver(driver)).hasToString(name);
    }

    @ParameterizedTest
    @CsvSource({"H2,H2", "PostgreSQL,PostgreSQL", "MariaDB,MariaDB", "MySQL,MySQL", "Oracle Database,ANSI"})
    void isFoundByTheNameOfTheMetadata(String factory, String name) {
        ConnectionFactoryMetadata metadata = () -> factory;
        assertThat(Dialect.of(metadata).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "mysql,9.7.4-2,MySQL",
        "mysql,8.0.36-28.1,MySQL",
        "mysql,11.4.2-MariaDB-log,MariaDB by r2dbc-mysql",
        "mysql,5.5.5-10.6.16-MariaDB,MariaDB by r2dbc-mysql",
        "mariadb,11.4.2-MariaDB,MariaDB",
        "postgresql,17.2,PostgreSQL"
    })
    void ofMysqlDriverFollowsTheVersionOfTheServer(String driver, String version, String name) {
        ConnectionMetadata server = new ConnectionMetadata() {
            @Override
            public String getDatabaseProductName() {
                return "any";
            }

            @Override
            public String getDatabaseVersion() {
                return version;
            }
        };
        assertThat(Dialect.ofDriver(driver).of(server)).hasToString(name);
    }

    /** The drivers use this exception for each answer of the server that they cannot classify. */
    @ParameterizedTest
    @CsvSource({
        "PostgreSQL,U0001,0,OTHER",
        "PostgreSQL,02000,0,OTHER",
        "PostgreSQL,3D000,0,OTHER",
        "PostgreSQL,53100,0,OTHER",
        "PostgreSQL,58P01,0,OTHER",
        "PostgreSQL,XX000,0,OTHER",
        "PostgreSQL,99999,0,OTHER",
        "PostgreSQL,25P01,0,TRANSACTION_LOST",
        "PostgreSQL,40003,0,TRANSACTION_LOST",
        "PostgreSQL,25P03,0,CONNECTION_LOST",
        "PostgreSQL,25P04,0,CONNECTION_LOST",
        "PostgreSQL,57P01,0,CONNECTION_LOST",
        "PostgreSQL,57P05,0,CONNECTION_LOST",
        "PostgreSQL,08006,0,CONNECTION_LOST",
        "MySQL,,1005,OTHER",
        "MySQL,,1644,OTHER",
        "MySQL,HY000,1175,OTHER",
        "MySQL,,1206,TRANSACTION_LOST",
        "MySQL,,1047,CONNECTION_LOST",
        "MySQL,,1158,CONNECTION_LOST",
        "MySQL,HY000,2013,CONNECTION_LOST",
        "MySQL,08S01,1152,CONNECTION_LOST",
        "MySQL,,0,CONNECTION_LOST",
        "MariaDB,25S03,0,CONNECTION_LOST",
        "MariaDB,70100,1927,CONNECTION_LOST",
        "MariaDB,45000,1644,OTHER",
        "PostgreSQL,25006,0,READ_ONLY_SERVER",
        "MariaDB,HY000,1836,READ_ONLY_SERVER",
        "MySQL,HY000,1290,OTHER",
        "H2,90031,90031,OTHER",
        "H2,90121,90121,CONNECTION_LOST",
        "ANSI,45000,1927,OTHER",
        "ANSI,,0,CONNECTION_LOST"
    })
    void serverErrorMeansLostConnectionOnlyIfItSaysSo(String dialect, String state, int code, ErrorKind kind) {
        ConnectionFactoryMetadata metadata = () -> dialect;
        assertThat(Dialect.of(metadata).kindOf(new R2dbcNonTransientResourceException("of the server", state, code)))
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"--read-only,READ_ONLY_SERVER", "--super-read-only,READ_ONLY_SERVER", "--secure-file-priv,OTHER"})
    void optionThatPreventsStatementDecidesItsKind(String option, ErrorKind kind) {
        String message =
                "The MariaDB server is running with the " + option + " option so it cannot execute this statement";

        assertThat(Dialect.MARIADB.kindOf(new R2dbcNonTransientResourceException(message, "HY000", 1290)))
                .isEqualTo(kind);
    }

    static Stream<Arguments> otherErrors() {
        IOException reset = new IOException("Connection reset by peer");
        return Stream.of(
                Arguments.of(ErrorKind.CONNECTION_LOST, new SocketException("reset")),
                Arguments.of(ErrorKind.CONNECTION_LOST, new ClosedChannelException()),
                Arguments.of(ErrorKind.CONNECTION_LOST, new IllegalStateException(new SocketException("reset"))),
                Arguments.of(ErrorKind.CONNECTION_LOST, new R2dbcTransientResourceException("failed", reset)),
                Arguments.of(
                        ErrorKind.CONNECTION_LOST,
                        new R2dbcTransientResourceException(
                                "replay failed", new R2dbcNonTransientResourceException("closed", "08000"))),
                Arguments.of(ErrorKind.OTHER, new R2dbcTransientResourceException("failed")),
                Arguments.of(ErrorKind.OTHER, new UncheckedIOException(new IOException("a row mapper found no JSON"))),
                Arguments.of(ErrorKind.OTHER, new FileNotFoundException("of a migration")));
    }

    @ParameterizedTest
    @MethodSource("otherErrors")
    void clientErrorMeansLostConnectionOnlyIfItIsOfNetwork(ErrorKind kind, Throwable error) {
        assertThat(Dialect.ANSI.kindOf(error)).isEqualTo(kind);
    }

    @Test
    void toBuilderKeepsAllThatIsNotReplaced() {
        Dialect own =
                Dialect.POSTGRESQL.toBuilder().features(Feature.BACKPRESSURE).build();
        assertThat(own.name()).isEqualTo("PostgreSQL");
        assertThat(own.has(Feature.BACKPRESSURE)).isTrue();
        assertThat(own.has(Feature.TRANSACTIONAL_DDL)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "r2dbc:mariadb://h/d, timezone=UTC",
        "r2dbc:mariadb://h/d?timezone=%2B00:00, timezone=+00:00",
        "r2dbc:mysql://h/d, connectionTimeZone=+00:00",
        "r2dbc:mysql://h/d?connectionTimeZone=utc, connectionTimeZone=utc",
        "r2dbc:mysql://h/d, forceConnectionTimeZoneToSession=true"
    })
    void sessionOptionsPutSessionsOfMariaDbInUtc(String url, String option) {
        ConnectionFactoryOptions given = ConnectionFactoryOptions.parse(url);
        assertThat(withSessionOptions(given).toString()).contains(option);
    }

    @ParameterizedTest
    @CsvSource({
        "r2dbc:mariadb://h/d?timezone=auto, timezone has the value 'auto'",
        "r2dbc:mariadb://h/d?timezone=disabled, timezone has the value 'disabled'",
        "r2dbc:mariadb://h/d?timezone=Europe/Berlin, timezone has the value 'Europe/Berlin'",
        "r2dbc:mysql://h/d?connectionTimeZone=LOCAL, connectionTimeZone has the value 'LOCAL'",
        "r2dbc:mysql://h/d?forceConnectionTimeZoneToSession=false, forceConnectionTimeZoneToSession has the value"
    })
    void sessionOptionsOfAnotherZoneAreRefused(String url, String message) {
        ConnectionFactoryOptions given = ConnectionFactoryOptions.parse(url);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withSessionOptions(given))
                .withMessageContaining(message)
                .withMessageContaining("leave the option out");
    }

    @Test
    void sessionOptionsAreNeededOnMariaDbAlone() {
        ConnectionFactoryOptions given = ConnectionFactoryOptions.parse("r2dbc:postgresql://h/d?timezone=auto");
        assertThat(withSessionOptions(given)).isEqualTo(given);
    }

    private static ConnectionFactoryOptions withSessionOptions(ConnectionFactoryOptions given) {
        String driver = String.valueOf(given.getValue(ConnectionFactoryOptions.DRIVER));
        return Dialect.ofDriver(driver).withSessionOptions(given);
    }
}
