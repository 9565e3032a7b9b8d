package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlSyntaxException;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.testing.HostilePieces;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Invariants for random statements. {@code -Dseed=N} runs the statement of that seed. */
class HostileSqlTest {
    private static final RandomText TEXTS = RandomText.of(HostilePieces.SQL);

    /* Without what may be sent in other words. */
    private static final RandomText WHOLE = RandomText.of(HostilePieces.WHOLE_SQL.stream()
            .filter(piece -> !piece.contains(";"))
            .toList());

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.H2, Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL, Dialect.ANSI);
    }

    private record Token(SqlToken kind, String text) {}

    private static List<Token> tokens(Dialect dialect, String text) {
        List<Token> tokens = new ArrayList<>();
        SqlLexer lexer = dialect.lexer(text);
        while (lexer.next() != SqlToken.END) {
            StringBuilder token = new StringBuilder();
            lexer.appendTo(token);
            tokens.add(new Token(lexer.token(), token.toString()));
        }
        return tokens;
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void tokensMakeUpTextOrErrorHasPosition(Dialect dialect) {
        TEXTS.check(Proof.rounds(4_000, 200_000), (text, chance) -> {
            try {
                StringBuilder all = new StringBuilder();
                tokens(dialect, text).forEach(token -> all.append(token.text()));
                assertThat(all.toString()).isEqualTo(text);
            } catch (SqlSyntaxException e) {
                assertThat(line(text, e.line())).hasSizeGreaterThanOrEqualTo(e.column());
                assertThat(e.column()).isPositive();
            }
        });
    }

    private static String line(String text, int number) {
        return text.split("\r\n|\r|\n", -1)[number - 1];
    }

    /* Only parameters are replaced, each by a mark; if the driver needs another form, forBatch returns it.
     * Without brackets: whether a colon in them begins a name hangs on what is before it. */
    @ParameterizedTest
    @MethodSource("dialects")
    void parametersBecomeMarkersAndOtherTextIsUnchanged(Dialect dialect) {
        AtomicInteger compared = new AtomicInteger();
        RandomText.Property staysAndIsMarked = (text, chance) -> {
            ParsedSql parsed;
            try {
                parsed = new ParsedSql(dialect, text);
            } catch (SqlSyntaxException | ParameterException e) {
                return;
            } catch (UnsupportedOperationException e) {
                assertThat(e).hasMessageContaining("COPY");
                return;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("UESCAPE");
                return;
            }
            List<Token> before = tokens(dialect, text);
            assertThat(parsed.names())
                    .isEqualTo(before.stream()
                            .filter(token -> token.kind() == SqlToken.PARAMETER)
                            .map(token -> token.text().substring(1))
                            .distinct()
                            .toList());
            String sent =
                    parsed.driverSql(new Object[parsed.names().size()], null).text();
            if (!text.contains("\\:") && isSentAsItIs(dialect, before)) {
                assertThat(plain(tokens(dialect, sent))).isEqualTo(expected(dialect, parsed, before));
                compared.addAndGet(parsed.names().isEmpty() ? 0 : 1);
            }
        };
        TEXTS.check(Proof.rounds(3_000, 150_000), staysAndIsMarked);
        RandomText.assertReached(compared.get(), 50, "compared, with a parameter");
        WHOLE.check(Proof.rounds(1_000, 50_000), staysAndIsMarked);
        RandomText.assertReached(compared.get(), 500, "compared, with a parameter");
    }

    private static boolean isSentAsItIs(Dialect dialect, List<Token> tokens) {
        StringBuilder text = new StringBuilder();
        tokens.forEach(token -> text.append(token.kind() == SqlToken.PARAMETER ? "x" : token.text()));
        String whole = text.toString();
        try {
            return !whole.matches("(?s).*[;\\[].*") && dialect.forBatch(whole).equals(whole);
        } catch (SqlSyntaxException e) {
            return false;
        }
    }

    private static List<Token> expected(Dialect dialect, ParsedSql parsed, List<Token> before) {
        List<Token> expected = new ArrayList<>();
        int marks = 0;
        for (Token token : before) {
            if (token.kind() != SqlToken.PARAMETER) {
                expected.add(token);
                continue;
            }
            int number = dialect.numbersMarkers() ? parsed.numberOf(token.text().substring(1)) + 1 : ++marks;
            expected.add(new Token(SqlToken.MARKER, dialect.marker(number)));
        }
        return plain(expected);
    }

    /* White space may stand between a mark and what would run into it. */
    private static List<Token> plain(List<Token> tokens) {
        return tokens.stream().filter(token -> token.kind() != SqlToken.SPACE).toList();
    }
}
