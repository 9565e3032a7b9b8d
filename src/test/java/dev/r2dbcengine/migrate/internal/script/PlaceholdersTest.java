package dev.r2dbcengine.migrate.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.Chunks;
import dev.r2dbcengine.migrate.FlywayPlaceholders;
import dev.r2dbcengine.migrate.GoldenScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceholdersTest {

    private static final Map<String, String> VALUES = Map.of(
            "schema", "app", "empty", "", "flyway:table", "history", "lines", "a\r\nb\nc", "nested", "${schema}");

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "${schema},app",
                "${SCHEMA}.${Schema},app.app",
                "'${schema}' -- ${schema},'app' -- app",
                "a${empty}b,ab",
                "${empty}${empty},~~",
                "${flyway:table},history",
                "$$ $ $x} { } $,$$ $ $x} { } $",
                "$${schema}$$,$app$$",
                "$$${schema},$$app",
                "${nested},${schema}",
                "${}schema},${schema}",
                "a ${}{x} b,a ${{x} b"
            })
    void placeholdersAreReplacedEverywhere(String text, String expected) throws IOException {
        assertThat(replace(text, FlywayPlaceholders.of(VALUES))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {"#[[schema]],app", "#[${schema}],#[${schema}]", "##[[schema]]],#app]", "#[[]]schema]],#[[schema]]"
            })
    void prefixAndSuffixAreConfigurable(String text, String expected) throws IOException {
        assertThat(replace(text, new Placeholders("#[[", "]]", VALUES))).isEqualTo(expected);
    }

    @Test
    void placeholdersStayTextIfDisabled() throws IOException {
        assertThat(replace("${schema} ${", Placeholders.OFF)).isEqualTo("${schema} ${");
    }

    @RepeatedTest(100)
    void resultDoesNotDependOnTheBuffer() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int i = random.nextInt(3000); i >= 0; i--) {
            boolean plain = random.nextBoolean();
            text.append(plain ? "$x{\n" : "${schema}");
            expected.append(plain ? "$x{\n" : "app");
        }
        int most = 1 + random.nextInt(20);
        PlaceholderReader reader = new PlaceholderReader(
                "f", new Chunks(new StringReader(text.toString()), random, most), FlywayPlaceholders.of(VALUES));
        assertThat(GoldenScript.text(new Chunks(reader, random, most)))
                .as("seed %d", seed)
                .isEqualTo(expected.toString());
    }

    @Test
    void unknownPlaceholderIsReportedWithLineAndRemedies() {
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> replace("a\r\nb\rc ${lines}\n ${unknown}", FlywayPlaceholders.of(VALUES)))
                .withMessageContainingAll(
                        "V1__x.sql, line 4",
                        "${unknown}",
                        "placeholders(Map.of(\"unknown\"",
                        "${}unknown}",
                        "placeholderReplacement=false");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {"${schema", "${", "~a ${sch\nema}~"})
    void unterminatedPlaceholderIsReported(String text) {
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> replace(text, FlywayPlaceholders.of(VALUES)))
                .withMessageContainingAll("V1__x.sql, line 1", "no end", "write ${}");
    }

    @Test
    void lineNumbersAreThoseOfTheFile() {
        String text = "select '${lines}';\nselect '${lines}\n${lines}', 1; select 2;\n${empty}\nselect 3;\nselect '";
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> GoldenScript.statements(Dialect.H2, script(text)))
                .withMessageContaining("line 6");
        assertThat(GoldenScript.statements(Dialect.H2, script(text.substring(0, text.length() - 8))))
                .extracting(ScriptStatement::line)
                .containsExactly(1, 2, 3, 5);
    }

    @Test
    void valueMayContainStatementsAndLineBreaks() {
        Placeholders values = FlywayPlaceholders.of(Map.of("two", "select 1;\nselect 2;\n"));
        Script script = new Script("f", () -> bytes("${two}\nselect 3;"), StandardCharsets.UTF_8, values);
        List<ScriptStatement> statements = GoldenScript.statements(Dialect.H2, script);
        assertThat(statements).extracting(ScriptStatement::text).containsExactly("select 1", "select 2", "select 3");
        assertThat(statements.get(2).line()).isEqualTo(2);
    }

    @Test
    void toStringOmitsValues() {
        assertThat(FlywayPlaceholders.of(Map.of("password", "secret")).toString())
                .contains("password")
                .doesNotContain("secret");
    }

    private static Script script(String text) {
        return new Script("V1__x.sql", () -> bytes(text), StandardCharsets.UTF_8, FlywayPlaceholders.of(VALUES));
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String replace(String text, Placeholders placeholders) throws IOException {
        return GoldenScript.text(new PlaceholderReader("V1__x.sql", new StringReader(text), placeholders));
    }
}
