package dev.r2dbcengine.internal.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineUrlTest {
    private static final String UNNAMED = "unnamed-1";

    private static EngineUrl parse(String url) {
        return EngineUrl.parse(url, UNNAMED);
    }

    @Nested
    class Identity {
        @ParameterizedTest
        @CsvSource({
            "r2dbc:postgresql://ada@db/shop?a=1&b=2, r2dbc:postgresql://ada@db/shop?b=2&a=1",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://ada@db:5432/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgres://ada@DB/shop",
            "r2dbc:mariadb://ada@db/shop, r2dbc:mariadb://ada@db:3306/shop",
            "r2dbc:mysql://ada@db/shop, r2dbc:mysql://ada@db:3306/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:pool:postgresql://ada@db/shop",
            "r2dbc:h2:file:///./data, r2dbc:pool:h2:file:///./data",
            "r2dbc:postgresql://ada:one@db/shop, r2dbc:postgresql://ada:two@db/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://ada@db/shop?maxSize=4&maxIdleTime=PT1M",
            "r2dbc:postgresql:failover://a:1%2Cb:2/shop, r2dbc:postgresql:failover://a:1%2Cb:2/shop",
            "r2dbc:postgresql://ada@my_db/shop, r2dbc:postgresql://ada@my_db:5432/shop",
            "r2dbc:postgresql://ada:a@b@db/shop, r2dbc:postgresql://ada:b@a@db:5432/shop",
        })
        void equivalentUrlsHaveOneKey(String one, String other) {
            assertThat(parse(one).key()).isEqualTo(parse(other).key());
        }

        @ParameterizedTest
        @CsvSource({
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://bob@db/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://ada@db/Shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://ada@db:5433/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbcs:postgresql://ada@db/shop",
            "r2dbc:postgresql://ada@db/shop, r2dbc:postgresql://ada@db/shop?schema=x",
            "r2dbc:postgresql://ada@db/shop, r2dbc:mariadb://ada@db/shop",
            "r2dbc:h2:file:///./shop, r2dbc:h2:mem:///./shop",
            "r2dbc:h2:mem:///shop, r2dbc:h2:mem:///SHOP",
            "r2dbc:h2:mem:///shop, r2dbc:h2:mem:///",
        })
        void differentUrlsHaveDifferentKeys(String one, String other) {
            assertThat(parse(one).key()).isNotEqualTo(parse(other).key());
        }

        @Test
        void portIsSplitFromHostWithUnderscore() {
            ConnectionFactoryOptions options =
                    parse("r2dbc:postgresql://ada:one@my_db:5433/shop").options();

            assertThat(options.getValue(ConnectionFactoryOptions.HOST)).isEqualTo("my_db");
            assertThat(options.getValue(ConnectionFactoryOptions.PORT)).isEqualTo(5433);
        }

        @Test
        void optionsEqualTheirUrl() {
            ConnectionFactoryOptions options = ConnectionFactoryOptions.builder()
                    .option(ConnectionFactoryOptions.DRIVER, "postgresql")
                    .option(ConnectionFactoryOptions.HOST, "db")
                    .option(ConnectionFactoryOptions.PORT, 5432)
                    .option(ConnectionFactoryOptions.USER, "ada")
                    .option(ConnectionFactoryOptions.PASSWORD, CharBuffer.wrap("secret"))
                    .option(ConnectionFactoryOptions.DATABASE, "shop")
                    .option(Option.valueOf("tcpKeepAlive"), true)
                    .option(Option.valueOf("maxIdleTime"), Duration.ofMinutes(1))
                    .build();
            EngineUrl url = parse("r2dbc:postgresql://ada:secret@db/shop?tcpKeepAlive=true&maxIdleTime=PT1M");

            assertThat(EngineUrl.of(options, UNNAMED).key()).isEqualTo(url.key());
            assertThat(EngineUrl.of(options, UNNAMED).named()).isEqualTo(url.named());
        }
    }

    @Nested
    class InMemory {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "r2dbc:h2:mem:///",
                    "r2dbc:h2:mem://",
                    "r2dbc:h2:mem:",
                    "r2dbc:h2:mem:///;MODE=PostgreSQL",
                    "r2dbc:h2:mem:///?options=DB_CLOSE_DELAY=-1",
                    "r2dbc:h2:mem://?MODE=MySQL",
                    "r2dbc:pool:h2:mem:///",
                    "r2dbc:h2:mem://sa:secret@/",
                    "r2dbc:h2:mem://sa:secret@",
                })
        void unnamedDatabaseGetsName(String url) {
            assertThat(parse(url).key()).isEqualTo(EngineKey.ofMemory("h2", UNNAMED));
            assertThat(parse(url).redacted()).isEqualTo("r2dbc:h2:mem:///");
            assertThat(parse(url)
                            .options()
                            .getValue(ConnectionFactoryOptions.DATABASE)
                            .toString())
                    .startsWith(UNNAMED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "r2dbc:h2:mem:///shop",
                    "r2dbc:h2:mem://localhost/shop",
                    "r2dbc:pool:h2:mem:///shop",
                    "r2dbc:h2:mem:///shop;DB_CLOSE_DELAY=-1;MODE=MySQL",
                    "r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1;MODE=PostgreSQL",
                    "r2dbc:h2:mem:///shop?DB_CLOSE_DELAY=-1",
                    "r2dbc:h2:mem://sa:secret@localhost/shop",
                    "r2dbc:h2:mem:///shop?maxSize=3",
                })
        void namedDatabaseIsIdentifiedByName(String url) {
            assertThat(parse(url).key()).isEqualTo(EngineKey.ofMemory("h2", "shop"));
            assertThat(parse(url).redacted()).isEqualTo("r2dbc:h2:mem:///shop");
        }

        @Test
        void settingsAreReadInEverySpelling() {
            Map<String, Object> expected = Map.of("MODE", "MySQL", "DB_CLOSE_DELAY", "-1");

            assertThat(parse("r2dbc:h2:mem:///x;mode=MySQL;DB_CLOSE_DELAY=-1").named())
                    .isEqualTo(expected);
            assertThat(parse("r2dbc:h2:mem:///x?options=MODE=MySQL;DB_CLOSE_DELAY=-1")
                            .named())
                    .isEqualTo(expected);
            assertThat(parse("r2dbc:h2:mem:///x?mode=MySQL&db_close_delay=-1").named())
                    .isEqualTo(expected);
            assertThat(parse("r2dbc:h2:mem://Ada:secret@localhost/x;EMPTY").named())
                    .isEqualTo(Map.of("user", "ADA", "password", "secret", "EMPTY", ""));
        }

        @Test
        void urlOptionOfDriverIsParsed() {
            ConnectionFactoryOptions options = ConnectionFactoryOptions.builder()
                    .option(ConnectionFactoryOptions.DRIVER, "h2")
                    .option(Option.valueOf("url"), "mem:shop;MODE=MySQL")
                    .build();

            assertThat(EngineUrl.of(options, UNNAMED).key()).isEqualTo(EngineKey.ofMemory("h2", "shop"));
            assertThat(EngineUrl.of(options, UNNAMED).named()).isEqualTo(Map.of("MODE", "MySQL"));
        }

        @Test
        void hostWithoutNameIsRejectedWithCorrectSpelling() {
            assertThatThrownBy(() -> parse("r2dbc:h2:mem://shop"))
                    .isInstanceOf(EngineOpenException.class)
                    .hasMessageContaining("Write r2dbc:h2:mem:///shop");
        }
    }

    @Nested
    class ForTheDriver {
        @Test
        void poolOptionsAreRemoved() {
            ConnectionFactoryOptions options = parse(
                            "r2dbc:pool:postgresql://ada:pw@db/shop?maxSize=4&initialSize=1&schema=x")
                    .options();

            assertThat(options).isEqualTo(ConnectionFactoryOptions.parse("r2dbc:postgresql://ada:pw@db/shop?schema=x"));
        }

        @Test
        void settingsAreParsed() {
            assertThat(parse("r2dbc:postgresql://db/shop?maxSize=4&maxIdleTime=PT1M&validationDepth=remote")
                            .settings())
                    .isEqualTo(Map.of(
                            Setting.MAX_SIZE,
                            4,
                            Setting.MAX_IDLE_TIME,
                            Duration.ofMinutes(1),
                            Setting.VALIDATION_DEPTH,
                            io.r2dbc.spi.ValidationDepth.REMOTE));
        }
    }

    @Nested
    class BadInput {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "jdbc:postgresql://ada:s3cret@db/shop?password=s3cret",
                    "r2dbc:postgresql:ada:s3cret@db",
                    "r2dbc:postgresql://ada:s3cret@db:port port/shop",
                    "r2dbc:postgresql://ada:s3cret@[db/shop",
                    "r2dbc:postgresql://ada:s3?cret@db/sh op",
                    "r2dbc:://ada:s3cret@db/shop",
                    "r2dbc:postgresql://db/sh op;PASSWORD=s3cret",
                    "r2dbc:postgresql://ada:s3/cret@db/shop",
                    "r2dbc:postgresql://ada:3/cret@db:5432/shop?ssl=true",
                    "r2dbc:postgresql://ada:s3/c@ret@db/shop",
                    "r2dbc:postgresql://ada:s3?cret@db/shop",
                    "r2dbc:postgresql://ada:s3#cret@db/shop",
                })
        void invalidUrlIsReportedWithoutPassword(String url) {
            assertThatThrownBy(() -> parse(url))
                    .isInstanceOf(EngineOpenException.class)
                    .hasNoCause()
                    .hasMessageContaining("r2dbc:driver[:protocol]://")
                    .message()
                    .doesNotContain("s3", "cret");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "r2dbc:postgresql://db/shop?applicationName=ada@eu",
                    "r2dbc:postgresql://db:5432?applicationName=ada@eu",
                    "r2dbc:postgresql://db:/shop?applicationName=ada@eu",
                    "r2dbc:postgresql://ada:s3cret@db",
                    "r2dbc:postgresql://ada:s3cret@db:5432?applicationName=ada@eu",
                    "r2dbc:postgresql://[::1]:5432/shop?applicationName=ada@eu",
                    "r2dbc:postgresql:failover://a:5432,b:5432/shop?applicationName=ada@eu",
                    "r2dbc:h2:file:///home/ada@eu/shop",
                    "r2dbc:h2:mem:///ada@eu"
                })
        void atSignOutsideCredentialsIsAccepted(String url) {
            assertThat(parse(url).redacted()).doesNotContain("s3cret");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "r2dbc:mariadb://ada@db/shop;PASSWORD=s3cret",
                    "r2dbc:postgresql://a,b/shop;USER=ada;PASSWORD=s3cret",
                    "r2dbc:h2:file:///shop;PASSWORD=s3cret"
                })
        void settingBehindDatabaseIsRedacted(String url) {
            assertThat(parse(url).redacted()).contains("shop").doesNotContain("s3cret");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "maxSize=0",
                    "maxSize=many",
                    "initialSize=-1",
                    "maxIdleTime=30",
                    "maxAcquireTime=-PT1S",
                    "validationDepth=deep",
                    "maxIdleTime=PT9999999999999999H"
                })
        void invalidSettingIsNamed(String setting) {
            assertThatThrownBy(() -> parse("r2dbc:postgresql://ada:s3cret@db/shop?" + setting))
                    .isInstanceOf(EngineOpenException.class)
                    .hasMessageContaining("r2dbc:postgresql://ada@db:5432/shop")
                    .hasMessageContaining(setting.replace("=", " is '"))
                    .message()
                    .doesNotContain("s3cret");
        }

        @Test
        void nothingPrintsAPassword() {
            EngineUrl url = parse("r2dbc:postgresql://ada:s3cret@db/shop?sslMode=require&sslPassword=s3cret");

            assertThat(url.toString()).isEqualTo("r2dbc:postgresql://ada@db:5432/shop");
            assertThat(url.key().toString()).isEqualTo("r2dbc:postgresql://ada@db:5432/shop");
        }
    }
}
