package dev.r2dbcengine.migrate.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.GoldenScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {

    @Test
    void oneScanFindsEverything() {
        ScriptScan scan = scan("a\nb\n;\n vacuum;\nset a = 1; select 2");
        assertThat(scan.insideLine()).isEqualTo(1);
        assertThat(scan.outsideLine()).isEqualTo(4);
    }

    @Test
    void smallScriptWithoutDataIsKept() {
        assertThat(scan("select 1;\nselect 2;").statements())
                .extracting(ScriptStatement::text)
                .containsExactly("select 1", "select 2");
        assertThat(scan("copy t from stdin;\n1\n\\.\nselect 2;").statements()).isNull();
        assertThat(scan("select 1;\n".repeat(10_000)).statements()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "select 1, true",
        "set a = 1, true",
        "vacuum, false",
        "set a = 1; vacuum; reset a, false",
        "create index concurrently i on t(a); create index concurrently j on t(a), false"
    })
    void scriptRunsInTransactionUnlessAStatementCannot(String text, boolean expected) {
        assertThat(scan(text).inTransaction(false)).isEqualTo(expected);
    }

    @Test
    void mixedScriptIsRefusedByDefault() {
        ScriptScan scan = scan("select 1;\n\nvacuum;\nselect 2");
        assertThat(scan.inTransaction(true)).isFalse();
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> scan.inTransaction(false))
                .withMessageContainingAll("V1__x.sql, line 3", "line 1", "script of its own", "mixed(true)")
                .satisfies(e -> assertThat(e.line()).isEqualTo(3));
    }

    @ParameterizedTest
    @CsvSource({"11, false", "12, true", "17, true"})
    void statementsRefusedByOlderServersAreKnown(int version, boolean inTransaction) {
        assertThat(GoldenScript.script("alter type t add value 'x'")
                        .scan(Dialect.POSTGRESQL, version)
                        .inTransaction(false))
                .isEqualTo(inTransaction);
    }

    @Test
    void unopenableFileIsNamed() {
        Script script = new Script(
                GoldenScript.FILE,
                () -> {
                    throw new IOException("gone");
                },
                StandardCharsets.UTF_8,
                Placeholders.OFF);
        assertThatThrownBy(() -> script.open(Dialect.H2, 2))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("V1__x.sql")
                .hasRootCauseMessage("gone");
    }

    @Test
    void unreadableOrUnclosableFileFails() {
        InputStream broken = new ByteArrayInputStream(new byte[0]) {
            @Override
            public void close() throws IOException {
                throw new IOException("gone");
            }
        };
        Script script = new Script(GoldenScript.FILE, () -> broken, StandardCharsets.UTF_8, Placeholders.OFF);
        assertThatThrownBy(() -> script.scan(Dialect.H2, 2)).isInstanceOf(UncheckedIOException.class);
    }

    private static ScriptScan scan(String text) {
        return GoldenScript.script(text).scan(Dialect.POSTGRESQL, GoldenScript.VERSION);
    }
}
