package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenProblemTest {

    @ParameterizedTest
    @CsvSource({
        "h2,to the dependencies: io.r2dbc:r2dbc-h2 and com.h2database:h2",
        "postgresql,to the dependencies: org.postgresql:r2dbc-postgresql",
        "mariadb,to the dependencies: org.mariadb:r2dbc-mariadb",
        "mysql,to the dependencies: io.asyncer:r2dbc-mysql",
        "another,Add the driver 'another' to the dependencies"
    })
    void aDriverThatIsMissingIsToldWithItsCoordinates(String driver, String end) {
        assertThat(OpenProblem.noDriver(driver, "mem"))
                .contains("'" + driver + "'")
                .endsWith(end);
    }
}
