package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginTest {

    private static Login of(Settings... places) {
        return Login.of(new Configuration(List.of(places)));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/shop?user=a&password=s3cret, r2dbc:postgresql://db:5432/shop",
        "jdbc:postgresql://ada:s3cret@db/shop, r2dbc:postgresql://db/shop",
        "jdbc:postgresql://ada:hush-s3c/ret@db/shop, r2dbc:…",
        "jdbc:mariadb://ada:hush-p@s3cret@db/shop, r2dbc:…",
        "jdbc:mariadb://ada:hush-s3c?ret@db/shop, r2dbc:…",
        "jdbc:mariadb://db/shop, r2dbc:mariadb://db/shop",
        "jdbc:h2:mem:shop;PASSWORD=s3cret, r2dbc:h2:mem:///shop",
        "jdbc:h2:./data/shop, r2dbc:h2:file:///./data/shop",
        "jdbc:h2:file:/data/shop, r2dbc:h2:file:////data/shop",
        "jdbc:oracle:thin:scott/s3cret@db, r2dbc:…"
    })
    void jdbcUrlIsRejectedWithR2dbcUrl(String jdbc, String r2dbc) {
        Settings conf = Settings.file("flyway.conf", Map.of("flyway.url", jdbc));

        assertThatThrownBy(() -> of(conf))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageStartingWith("flyway.conf: flyway.url is a JDBC URL")
                .hasMessageContaining("--url " + r2dbc + ",")
                .message()
                .doesNotContainPattern("hush|s3c|ret@");
    }

    @Test
    void jdbcUrlInFlagIsToBeReplaced() {
        assertThatThrownBy(() -> of(Settings.flags(Map.of("--url", "jdbc:h2:mem:a"))))
                .hasMessage("--url is a JDBC URL, but an R2DBC URL is required. Give --url r2dbc:h2:mem:///a");
    }

    @Test
    void flagOverridesJdbcUrlInFile() {
        Settings conf = Settings.file("flyway.conf", Map.of("flyway.url", "jdbc:h2:mem:a", "flyway.user", "ada"));

        assertThat(of(Settings.flags(Map.of("--url", "r2dbc:h2:mem:///b")), conf))
                .isEqualTo(new Login("r2dbc:h2:mem:///b", "--url", "ada", null));
    }

    @Test
    void missingOrOtherUrlIsRejectedWithExample() {
        assertThatThrownBy(() -> of(Settings.flags(Map.of())))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContainingAll("--url", "R2E_URL");
        assertThatThrownBy(() -> of(Settings.flags(Map.of("--url", "postgresql://ada:s3cret@db/shop"))))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContaining("r2dbc:postgresql://")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void passwordOfFirstPlaceWins(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "of the file\nand no more");
        Settings url = Settings.flags(Map.of("--url", "r2dbc:h2:mem:///x"));
        Settings flag = Settings.flags(Map.of("--password-file", file.toString()));
        Settings environment = Settings.environment(Map.of("R2E_PASSWORD", "of the environment"));

        assertThat(of(url, flag, environment).password()).isEqualTo("of the file");
        assertThat(of(url, environment, flag).password()).isEqualTo("of the environment");
        assertThat(of(url, environment, flag)).hasToString("Login[user=null]");
    }

    @ParameterizedTest
    @CsvSource({
        "--url, r2dbc:postgresql://ada:s3cret@db/shop, true",
        "--url, r2dbc:h2:mem:///x?PASSWORD=s3cret, true",
        "--url, r2dbc:postgresql://db/shop?sslPassword=s3cret, true",
        "--url, r2dbc:postgresql://ada@db:5432/shop, false",
        "--url, 'r2dbc:h2:file:///a:b@c', false",
        "R2E_URL, r2dbc:postgresql://ada:s3cret@db/shop, false"
    })
    void passwordInFlagIsDetected(String from, String url, boolean visible) {
        assertThat(new Login(url, from, null, null).showsPassword()).isEqualTo(visible);
    }

    @Test
    void unreadablePasswordFileIsNamed() {
        assertThatThrownBy(() -> of(Settings.flags(Map.of("--url", "r2dbc:h2:mem:///x", "--password-file", "/none"))))
                .isInstanceOf(WrongUsageException.class)
                .hasMessage("--password-file: /none cannot be read");
    }
}
