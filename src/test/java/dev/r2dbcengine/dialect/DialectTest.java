package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** A driver for MySQL tells so of each error that it has no word for. */
    @ParameterizedTest
    @CsvSource({"HY000,1175,OTHER", "HY000,2013,CONNECTION_LOST", "08S01,1152,CONNECTION_LOST", ",0,CONNECTION_LOST"})
    void aGeneralErrorIsNoLostConnection(String state, int code, ErrorKind kind) {
        assertThat(Dialect.MYSQL.kindOf(new R2dbcNonTransientResourceException("told by the server", state, code)))
                .isEqualTo(kind);
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
