package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactoryMetadata;
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
}
