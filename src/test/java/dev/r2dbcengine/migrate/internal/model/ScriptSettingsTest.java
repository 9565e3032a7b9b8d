package dev.r2dbcengine.migrate.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.internal.script.BooleanExpression;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptSettingsTest {

    private static MigrationFile file(String text) {
        return MigrationFile.of(
                "V1__a.sql.conf", () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void allSettingsAreRead() throws IOException {
        assertThat(ScriptSettings.read(file("\uFEFF# of this script\r\nexecuteInTransaction = FALSE\r\n"
                        + "encoding: ISO-8859-1\r\nplaceholderReplacement=true\r\n\r\nshouldExecute=a==\\b")))
                .isEqualTo(new ScriptSettings(false, StandardCharsets.ISO_8859_1, true, "a==\\b"));
        assertThat(ScriptSettings.read(file(""))).isEqualTo(ScriptSettings.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "executeInTransactions=true, 'executeInTransactions', which is no setting of a script",
        "executeInTransaction=yes, executeInTransaction=yes. Write true or false",
        "placeholderReplacement=, placeholderReplacement=. Write true or false",
        "encoding=UTF-99, encoding=UTF-99. Write a charset",
        "encoding=U T F, encoding=U T F. Write a charset",
    })
    void unknownSettingIsRefused(String text, String message) {
        assertThatThrownBy(() -> ScriptSettings.read(file(text)))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("V1__a.sql.conf says", message.replace("''", "'"));
    }

    @ParameterizedTest
    @CsvSource({
        "true, true",
        "FALSE, false",
        "a==a, true",
        "a == b, false",
        "a!=b, true",
        "a!=a, false",
        "==, true",
        "true && false, false",
        "true && a==a, true",
        "false || a==a, true",
        "true || true && false, true",
        "false && true || false, false",
    })
    void expressionsAreEvaluated(String expression, boolean expected) {
        assertThat(BooleanExpression.evaluate(expression)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "", "a=b", "a==b==c", "true &&", "true || maybe", "(true)"})
    void invalidExpressionIsRefused(String expression) throws IOException {
        ScriptSettings settings = ScriptSettings.read(file("shouldExecute=" + expression));
        assertThatThrownBy(() ->
                        settings.executes(MigrationFile.of("V1__a.sql", InputStream::nullInputStream), text -> text))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("V1__a.sql.conf says shouldExecute=" + expression.trim());
    }

    @Test
    void expressionErrorOmitsPlaceholderValues() throws IOException {
        ScriptSettings settings = ScriptSettings.read(file("shouldExecute=${token}"));
        assertThatThrownBy(() ->
                        settings.executes(MigrationFile.of("V1__a.sql", InputStream::nullInputStream), text -> "hush"))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("shouldExecute=${token}.")
                .message()
                .doesNotContain("hush");
    }
}
