package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.testing.LinearWork;
import dev.r2dbcengine.testing.NastyText;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomText;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed and hostile URLs neither leak passwords nor break logs. */
class HostileUrlTest {
    private static final int MAX_STEPS = 400;

    private static String redactedOrError(String url) {
        try {
            return EngineUrl.parse(url, "unnamed").redacted();
        } catch (EngineOpenException e) {
            assertThat(e).hasNoSuppressedExceptions();
            assertThat(e.getCause() == null ? "" : e.getCause().toString()).doesNotContain("s3", "cret");
            return e.getMessage() + e.url();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r2dbc:postgresql://ada:s3@cret@db/shop",
                "r2dbc:postgresql://ada:s3:cret@db/shop",
                "r2dbc:postgresql://ada:s3/cret@db/shop",
                "r2dbc:postgresql://ada:3/cret@db/shop",
                "r2dbc:postgresql://ada:s3?cret@db/shop",
                "r2dbc:postgresql://ada:s3#cret@db/shop",
                "r2dbc:postgresql://ada:3#cret@db/shop",
                "r2dbc:postgresql://ada:s3@x/cret@db/shop",
                "r2dbc:postgresql://ada:s3%cret@db/shop",
                "r2dbc:postgresql://ada:s3\\cret@db/shop",
                "r2dbc:postgresql://ada:s3 cret@db/shop",
                "r2dbc:postgresql://ada:s3cret@eve:s3cret@db/shop",
                "r2dbc:postgresql://ada:s3cret@db/shop?password=s3cret",
                "r2dbc:postgresql://ada:s3cret@/shop",
                "r2dbc:postgresql://:s3cret@db/shop",
                "r2dbc:postgresql:///ada:s3cret@db",
                "r2dbc:mariadb:sequential://ada:s3cret@h1,ada:s3cret@h2/x",
                "r2dbc:h2:file:///tmp/x;PASSWORD=s3cret",
                "r2dbc:h2:file:///tmp/x;USER=sa;PASSWORD=s3cret?x=1",
                "r2dbc:h2:mem:///x;PASSWORD=s3cret",
                "r2dbc:h2:mem:;PASSWORD=s3cret",
                "r2dbc:h2:mem://ada:s3cret@x",
                "r2dbc:h2:mem:ada:s3cret@x",
                "r2dbc:pool:pool:postgresql://ada:s3cret@db/x",
                "ada:s3cret@db/shop",
                "r2dbc:postgresql://ada:s3cret",
                "r2dbc:postgresql:ada:s3cret",
                "r2dbc:postgresql://ada:s3cret@db:abc/shop?x=@s3cret",
                "r2dbc:postgresql://db/shop&user=ada&password=s3cret",
                "jdbc:sqlserver://db;user=ada;password=s3cret",
                "jdbc:mysql://db/shop?user=ada&password=s3cret@x",
            })
    void misplacedPasswordIsNotShown(String url) {
        assertThat(redactedOrError(url)).doesNotContain("s3", "cret");
    }

    /* Without the check, "ada" would be the host and the rest of the password the database, in all messages. */
    @ParameterizedTest
    @ValueSource(strings = {"s3/cret", "3/cret", "s3?cret", "3?cret", "s3?x=cret", "s3#cret", "3#cret", "s3/a?b=cret"})
    void unencodedPasswordIsRejectedWithAdvice(String password) {
        assertThatThrownBy(() -> EngineUrl.parse("r2dbc:postgresql://ada:" + password + "@db/shop", "unnamed"))
                .isInstanceOf(EngineOpenException.class)
                .hasMessageContaining("write / as %2F");
    }

    @ParameterizedTest
    @CsvSource({
        "r2dbc:postgresql://ada:pw@db:abc/shop, is not a port",
        "r2dbc:postgresql://db:abc/shop, is not a port",
        "'r2dbc:mariadb:sequential://h1:3306,h2:x/shop', is not a port",
        "r2dbc:postgresql://db:99999/shop, from 1 to 65535",
        "r2dbc:postgresql://db:0/shop, from 1 to 65535",
        "r2dbc:postgresql://db:99999999999/shop, from 1 to 65535",
        "r2dbc:postgresql://ada:pw@::1:5432/shop, write an IPv6 address in brackets",
        "r2dbc:postgresql://fe80::1/shop, write an IPv6 address in brackets",
        "r2dbc:postgresql://db/shop&schema=x, begins with a ?",
        "'r2dbc:postgresql://db/shop?x=a b', write a space as %20",
        "r2dbc:postgresql://db/sh\\op, write \\ as %5C",
    })
    void wrongPartOfUrlIsNamed(String url, String problem) {
        assertThatThrownBy(() -> EngineUrl.parse(url, "unnamed"))
                .isInstanceOf(EngineOpenException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("%2F");
    }

    @Test
    void misreadPasswordInOptionsIsRejectedOrRedacted() {
        assertThatThrownBy(() -> EngineUrl.of(
                        ConnectionFactoryOptions.parse("r2dbc:postgresql://ada:s3/cret@db/shop"), "unnamed"))
                .isInstanceOf(EngineOpenException.class)
                .hasMessageNotContainingAny("s3", "cret");
        assertThat(EngineUrl.of(ConnectionFactoryOptions.parse("r2dbc:postgresql://ada:3/cret@db/shop"), "unnamed")
                        .redacted())
                .doesNotContain("cret");
    }

    @ParameterizedTest
    @CsvSource({"a+b, a+b", "a%2Bb, a+b", "a%20b, 'a b'", "a@b, a@b"})
    void passwordIsDecoded(String written, String password) {
        EngineUrl url = EngineUrl.parse("r2dbc:postgresql://ada:" + written + "@db/shop?x=1+1", "unnamed");
        assertThat(url.named()).containsEntry("password", password);
        assertThat(url.options().getValue(Option.valueOf("x"))).isEqualTo("1 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r2dbc:postgresql://[::1]:5432/shop",
                "r2dbc:postgresql://[::1]/shop",
                "r2dbc:mariadb:sequential://ada@h1:3307,h2,h3:3306/shop",
                "r2dbc:postgresql://ada@db:5432/shop?applicationName=a@b/c",
                "r2dbc:h2:file:///home/ada@corp/shop",
                "r2dbc:postgresql://ada:%2F%3F%23%40@db/shop",
            })
    void validUrlIsAccepted(String url) {
        assertThat(EngineUrl.parse(url, "unnamed").redacted()).startsWith("r2dbc:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r2dbc:postgresql://ada%0A@db/shop",
                "r2dbc:postgresql://db%1B[31m/shop",
                "r2dbc:h2:mem:///%E2%80%AEx",
                "r2dbc:postgresql://db/sh\nop",
                "r2dbc:postgresql://db/sh\u001b[31mop",
                "r2dbc:postgresql://db/%0D%0AWARN",
                "\u0000"
            })
    void controlCharactersAreNotShown(String url) {
        assertThat(redactedOrError(url)).doesNotContainPattern("[\\p{Cntrl}\u202e]");
    }

    /** Parses a URL, ignoring its rejection. */
    static final class Parse implements Consumer<String> {
        private final String before;

        Parse(String before) {
            this.before = before;
        }

        @Override
        public void accept(String text) {
            try {
                EngineUrl.parse(before + text, "unnamed");
            } catch (EngineOpenException e) {
                // The rejection must be linear, too.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void parsingIsLinear(NastyText text) {
        for (String before : List.of("", "r2dbc:postgresql://db/", "r2dbc:h2:mem:", "r2dbc:postgresql://db/x?")) {
            LinearWork.assertLinear(Parse.class, before, text, MAX_STEPS);
        }
    }

    @Test
    void randomUrlIsParsedOrRejectedInOneLine() {
        RandomText.of(List.of(
                        "r2dbc",
                        "r2dbcs",
                        ":",
                        "h2",
                        "mem",
                        "file",
                        "postgresql",
                        "pool",
                        "//",
                        "/",
                        "?",
                        "#",
                        "&",
                        "=",
                        "@",
                        ";",
                        ",",
                        ".",
                        "[",
                        "]",
                        "::1",
                        "5432",
                        "99999999999",
                        "-1",
                        "%",
                        "%40",
                        "%0a",
                        "%zz",
                        "ada",
                        "%e2%80%ae",
                        "db",
                        "shop",
                        "maxSize",
                        "maxSize=4",
                        "PASSWORD=x",
                        "options=",
                        "\n",
                        "\u001b",
                        "\u202e",
                        "\ud800",
                        "ä",
                        " ",
                        "\\",
                        "password=x",
                        "\0"))
                .check(Proof.rounds(20_000, 1_000_000), (text, chance) -> {
                    String url = chance.nextBoolean() ? text : "r2dbc:postgresql://" + text;
                    assertThat(redactedOrError(url)).doesNotContainPattern("[\\p{Cntrl}\u202e]");
                });
    }
}
