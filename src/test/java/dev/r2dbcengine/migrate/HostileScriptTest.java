package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.dialect.Syntax;
import dev.r2dbcengine.migrate.internal.script.Placeholders;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.testing.HostilePieces;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomText;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invariants for random scripts. {@code -Dseed=N} runs the script of that seed. */
class HostileScriptTest {
    private static final Pattern BARE_DASHES = Pattern.compile("--[^\\s]");
    private static final Placeholders PLACEHOLDERS = FlywayPlaceholders.of(Map.of("a", "x;\ny"));

    /** Where readers keep text, something may be cut in two. */
    private static final int BUFFER = 8192;

    private static final int DEEP = 100_000;

    private static final RandomText TEXTS = RandomText.of(HostilePieces.SQL);

    /* Without what is no SQL: the commands of a script, and data. */
    private static final RandomText STATEMENTS = RandomText.of(HostilePieces.SQL.stream()
            .filter(piece -> !piece.contains("${")
                    && !piece.contains("copy")
                    && !piece.equals("\ufeff")
                    && !piece.contains("\\"))
            .filter(piece -> !piece.toLowerCase(Locale.ROOT).contains("delimiter"))
            .toList());

    private static final RandomText WHOLE = RandomText.of(HostilePieces.WHOLE_SQL);

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.H2, Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL, Dialect.ANSI);
    }

    private static Script script(Placeholders placeholders, InputStream bytes, Charset charset) {
        return new Script("V1__x.sql", () -> bytes, charset, placeholders);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A few bytes at a time. */
    private static final class Trickle extends FilterInputStream {
        private final Random chance;

        Trickle(InputStream in, Random chance) {
            super(in);
            this.chance = chance;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return super.read(buffer, offset, Math.min(length, 1 + chance.nextInt(7)));
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void statementsDoNotDependOnBufferBoundaries(Dialect dialect) {
        TEXTS.check(Proof.rounds(800, 40_000), (text, chance) -> {
            String whole = " ".repeat(BUFFER - chance.nextInt(Math.min(BUFFER, text.length() + 2))) + text;
            Placeholders placeholders = chance.nextBoolean() ? Placeholders.OFF : PLACEHOLDERS;
            Script once = script(placeholders, bytes(whole), StandardCharsets.UTF_8);
            Script byFew = script(placeholders, new Trickle(bytes(whole), chance), StandardCharsets.UTF_8);
            assertThat(outcome(dialect, byFew)).isEqualTo(outcome(dialect, once));
        });
    }

    /* Placeholders are read ahead, so of two errors the other may be reported: with either, no statement runs. */
    private static String outcome(Dialect dialect, Script script) {
        String rendered = GoldenScript.render(dialect, script);
        boolean ahead = script.placeholders() == PLACEHOLDERS && rendered.contains("=== error\n");
        return ahead ? "an error" : rendered;
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void errorNamesTheLine(Dialect dialect) {
        TEXTS.check(Proof.rounds(2_000, 100_000), (text, chance) -> {
            try {
                GoldenScript.statements(dialect, script(PLACEHOLDERS, bytes(text), StandardCharsets.UTF_8));
            } catch (ScriptException e) {
                assertThat(e.line()).isBetween(1, text.split("\r\n|\r|\n", -1).length);
                assertThat(e).hasMessageStartingWith("V1__x.sql, line " + e.line() + ": ");
            }
        });
    }

    /* Between statements only what is no code, in them all that is; each is the one statement of its own text. */
    @ParameterizedTest
    @MethodSource("dialects")
    void splittingLosesNothingAndIsIdempotent(Dialect dialect) {
        AtomicInteger several = new AtomicInteger();
        RandomText.Property nothingIsLost = (glued, chance) -> {
            if (dialect.has(Syntax.DASHES_NEED_SPACE)
                    && BARE_DASHES.matcher(glued).find()) {
                return; // A comment where a statement may begin, minus signs elsewhere.
            }
            // A lone surrogate is no text, and comes as a question mark.
            String text = new String(glued.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            List<ScriptStatement> statements;
            try {
                statements = GoldenScript.statements(dialect, GoldenScript.script(text));
            } catch (ScriptException e) {
                return;
            }
            StringBuilder code = new StringBuilder();
            for (ScriptStatement statement : statements) {
                code.append(code(dialect, statement.text()));
                if (statement.text().endsWith("--")) {
                    return; // two minus signs before a ';', a comment at the end of a text
                }
                assertThat(GoldenScript.statements(dialect, GoldenScript.script(statement.text())))
                        .singleElement()
                        .extracting(ScriptStatement::text, ScriptStatement::transactional)
                        .containsExactly(statement.text(), statement.transactional());
                assertThat(oneKindOfLineEnds(text)).contains(oneKindOfLineEnds(statement.text()));
            }
            assertThat(code.toString()).isEqualTo(code(dialect, text));
            several.addAndGet(statements.size() > 1 ? 1 : 0);
        };
        STATEMENTS.check(Proof.rounds(1_500, 75_000), nothingIsLost);
        RandomText.assertReached(several.get(), 25, "of several statements");
        WHOLE.check(Proof.rounds(500, 25_000), nothingIsLost);
        RandomText.assertReached(several.get(), 150, "of several statements");
    }

    /* A carriage return alone becomes a line feed where the server needs one. */
    private static String oneKindOfLineEnds(String text) {
        return text.replace('\r', '\n');
    }

    private static String code(Dialect dialect, String text) {
        StringBuilder code = new StringBuilder();
        SqlLexer lexer = dialect.lexer(oneKindOfLineEnds(text));
        while (lexer.next() != SqlToken.END) {
            switch (lexer.token()) {
                case SPACE, COMMENT, SEMICOLON -> {}
                default -> lexer.appendTo(code);
            }
        }
        return code.toString();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void invalidBytesFailAndNameTheCharset(Dialect dialect) {
        TEXTS.check(Proof.rounds(200, 10_000), (text, chance) -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0) {
                bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt();
            }
            for (Charset charset :
                    List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.US_ASCII)) {
                try {
                    GoldenScript.statements(dialect, script(PLACEHOLDERS, new ByteArrayInputStream(bytes), charset));
                } catch (ScriptException e) {
                    assertThat(e.line() > 0 || String.valueOf(e.getMessage()).contains("not text in " + charset))
                            .isTrue();
                }
            }
        });
    }

    /* Deeper than any real script, and than any stack. */
    @ParameterizedTest
    @MethodSource("dialects")
    void deeplyNestedCodeIsOneStatement(Dialect dialect) {
        String comments = dialect.has(Syntax.NESTED_COMMENTS) ? "/*;".repeat(DEEP) + "*/".repeat(DEEP) : "";
        String text = "select " + comments + "(;".repeat(DEEP) + ")".repeat(DEEP) + "[".repeat(DEEP);
        assertThat(GoldenScript.statements(dialect, GoldenScript.script(text + ";select 2")))
                .extracting(ScriptStatement::text)
                .isEqualTo(List.of(text, "select 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void deeplyNestedBlocksAreOneStatement(String driver) {
        Dialect dialect = Dialect.ofDriver(driver);
        String text = "create procedure p() " + "begin ".repeat(DEEP) + "end; ".repeat(DEEP - 1) + "end";
        assertThat(GoldenScript.statements(dialect, GoldenScript.script(text + ";select 2")))
                .extracting(ScriptStatement::text)
                .isEqualTo(List.of(text, "select 2"));
    }
}
