package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactoryMetadata;
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

    @Test
    void toBuilderKeepsAllThatIsNotReplaced() {
        Dialect own =
                Dialect.POSTGRESQL.toBuilder().features(Feature.BACKPRESSURE).build();
        assertThat(own.name()).isEqualTo("PostgreSQL");
        assertThat(own.has(Feature.BACKPRESSURE)).isTrue();
        assertThat(own.has(Feature.TRANSACTIONAL_DDL)).isFalse();
    }
}
