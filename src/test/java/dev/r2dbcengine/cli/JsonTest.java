package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.h2.util.json.JSONStringSource;
import org.h2.util.json.JSONValueTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that is checked with H2's parser. */
class JsonTest {

    private static Parsed parsed(Object value) {
        return new Parsed(JSONStringSource.parse(Json.text(value), new JSONValueTarget()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a \"quote\" and a \\",
                "two\nlines\r\n\tand more",
                "\u0000\u001f\u007f",
                "ünï€",
                "😀",
                "</script>"
            })
    void stringRoundTrips(String text) {
        assertThat(parsed(text).text()).isEqualTo(text);
        assertThat(Json.text(text)).matches("[ -~]*");
    }

    @Test
    void objectKeepsOrderOfMixedMembers() {
        String text = Json.text(Json.object("z", 1, "a", null, "list", List.of(true, 2L, Map.of()), "b", List.of()));

        assertThat(text).isEqualTo("{\"z\":1,\"a\":null,\"list\":[true,2,{}],\"b\":[]}");
        assertThat(parsed(Json.object("z", 1)).at("z").number()).isOne();
    }

    @Test
    void otherValueIsWrittenAsString() {
        assertThat(parsed(CommandResult.class).text()).isEqualTo("class dev.r2dbcengine.cli.CommandResult");
    }
}
