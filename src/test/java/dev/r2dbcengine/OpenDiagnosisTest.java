package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.internal.url.EngineKey;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.SettingNames;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenDiagnosisTest {

    @ParameterizedTest
    @CsvSource({
        "h2,to the dependencies: io.r2dbc:r2dbc-h2 and com.h2database:h2",
        "postgresql,to the dependencies: org.postgresql:r2dbc-postgresql",
        "mariadb,to the dependencies: org.mariadb:r2dbc-mariadb",
        "mysql,to the dependencies: io.asyncer:r2dbc-mysql",
        "another,'another' is not a known driver. Correct it in the URL, or add it to the dependencies"
    })
    void missingDriverIsReportedWithCoordinatesAndAvailableDrivers(String driver, String advice) {
        EngineKey key =
                EngineUrl.parse("r2dbc:" + driver + ":mem://host/shop", "").key();
        assertThat(OpenDiagnosis.noDriver(key, SettingNames.DEFAULT))
                .contains("'" + driver + "'", advice)
                .endsWith("Available drivers: h2, mariadb, mysql, postgresql");
    }

    @ParameterizedTest
    @CsvSource({
        "r2dbcs:postgresql://host/shop,08003,TLS is requested",
        "r2dbc:mysql://host/shop?sslMode=required,08006,TLS is requested",
        "r2dbc:postgresql://host/shop?sslMode=disable,08003,could not be reached",
        "r2dbc:postgresql://host/shop?sslMode=require,28P01,refused the login"
    })
    void connectionClosedIsExplainedByTheRequestedTls(String url, String state, String problem) {
        Throwable closed = new R2dbcNonTransientResourceException("the connection is closed", state);
        assertThat(OpenDiagnosis.of(EngineUrl.parse(url, ""), closed, SettingNames.DEFAULT))
                .contains(problem);
    }

    /** MySQL takes such a login only once, over TLS; then it keeps the password in its cache. */
    @Test
    void loginThatNeedsTlsIsNotReportedAsAWrongPassword() {
        Throwable refused = new R2dbcPermissionDeniedException(
                "Authentication type 'caching_sha2_password' must require SSL in full authentication phase", "HY000");
        EngineUrl url = EngineUrl.parse("r2dbc:mysql://host/shop?sslMode=disabled", "");
        assertThat(OpenDiagnosis.of(url, refused, SettingNames.DEFAULT))
                .contains("needs TLS to check the password", "Add sslMode=required");
    }
}
