package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SqlLexerTest {

    private static final List<String> PIECES = List.of(
            "select",
            "x",
            "E'a\\'b'",
            "'it''s'",
            "\"q\"\"q\"",
            "`b``b`",
            "$$ d $$",
            "$t$ $$ ; $t$",
            "U&'\\0061'",
            "-- c\n",
            "# h\n",
            "/* a /* b */ c */",
            "/*! run '*/' */",
            "// s\n",
            "::",
            ":=",
            "\\:",
            ":name",
            "?",
            "$1",
            "[",
            "]",
            "(",
            ")",
            ";",
            "1.5e3",
            " ",
            "\t",
            "\r\n",
            "\n",
            "<>",
            "->>",
            "'a;b'",
            "E",
            "U&",
            "u",
            "e",
            "ä",
            "😀");

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.H2, Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL, Dialect.ANSI);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void tokensAreTheWholeText(Dialect dialect) {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            String text = text(random);
            assertThat(tokens(dialect.lexer(text)).stream().map(Seen::text).collect(Collectors.joining()))
                    .isEqualTo(text);
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void readingInPiecesGivesTheSameTokensAtTheSamePlaces(Dialect dialect) {
        Random random = new Random(8);
        for (int i = 0; i < 3_000; i++) {
            String text = text(random);
            SqlLexer pieces = new SqlLexer(dialect, new Drip(text, random), new char[1 + random.nextInt(5)], 0);
            assertThat(tokens(pieces)).isEqualTo(tokens(dialect.lexer(text)));
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void markedTextIsKeptWhateverIsReadMeanwhile(Dialect dialect) {
        Random random = new Random(9);
        for (int i = 0; i < 3_000; i++) {
            String text = text(random) + "x";
            List<Seen> plain = tokens(dialect.lexer(text));
            int from = random.nextInt(plain.size());
            int to = from + random.nextInt(plain.size() - from);
            SqlLexer lexer = new SqlLexer(dialect, new Drip(text, random), new char[1 + random.nextInt(5)], 0);
            assertMarkedIsKept(lexer, plain, from, to);
            assertMarkedIsKept(dialect.lexer(text), plain, from, to);
        }
    }

    private static void assertMarkedIsKept(SqlLexer lexer, List<Seen> plain, int from, int to) {
        long end = 0;
        List<Seen> seen = new ArrayList<>();
        for (int token = 0; token < plain.size(); token++) {
            lexer.next();
            if (token == from) {
                lexer.mark();
            }
            end = token == to ? lexer.end() : end;
            seen.add(seen(lexer));
        }
        assertThat(seen).isEqualTo(plain);
        assertThat(lexer.takeMarked(end))
                .isEqualTo(plain.subList(from, to + 1).stream().map(Seen::text).collect(Collectors.joining()));
    }

    @Test
    void placesAreToldAsAnEditorShowsThem() {
        SqlLexer lexer = Dialect.POSTGRESQL.lexer(new StringReader("a\n  b\r\n'c\nd'\re"));
        List<String> places = new ArrayList<>();
        while (lexer.next() != SqlToken.END) {
            if (lexer.token() != SqlToken.SPACE) {
                places.add(lexer.text() + " " + lexer.line() + ":" + lexer.column() + " " + lexer.offset());
            }
        }
        assertThat(places).containsExactly("a 1:1 0", "b 2:3 4", "'c\nd' 3:1 7", "e 5:1 13");
        assertThat(lexer.next()).isEqualTo(SqlToken.END);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "PostgreSQL,select 'abc,A string,8",
                "PostgreSQL,select 'a'',A string,8",
                "PostgreSQL,select E'a\\,A string,8",
                "PostgreSQL,select E'a\\',A string,8",
                "PostgreSQL,select \"abc,A quoted name,8",
                "PostgreSQL,select U&\"abc,A quoted name,8",
                "PostgreSQL,select U&'abc,A string,8",
                "PostgreSQL,select $a$ $b$ $a,A string,8",
                "PostgreSQL,select /* /* */,A comment,8",
                "PostgreSQL,select /*,A comment,8",
                "MariaDB,select `abc,A quoted name,8",
                "MariaDB,select \"abc\\\",A string,8",
                "MariaDB,select /*! '*/,A string,8",
                "MariaDB,select /*! \"*/,A string,8",
                "MariaDB,select /*! `*/,A string,8",
                "MariaDB,select /*M! '*/,A string,8",
                "MariaDB,select /*! x,A comment,8"
            })
    void unterminatedTokenIsReportedWithItsPosition(String dialect, String text, String what, int column) {
        assertThatExceptionOfType(SqlSyntaxException.class)
                .isThrownBy(() -> tokens(Dialect.ofDriver(dialect).lexer("\n\n" + text)))
                .withMessage(what + " that begins in line 3, column " + column + " never ends")
                .satisfies(e -> assertThat(List.of(e.line(), e.column())).containsExactly(3, column));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "Begin,BEGIN,true",
                "'BEGIN',BEGIN,false",
                "begins,BEGIN,false",
                "other,BEGIN,false",
                "begun,BEGIN,false",
                "aZ,AZ,true",
                "{|,[\\,false"
            })
    void wordsAreComparedWithoutCase(String text, String word, boolean same) {
        SqlLexer lexer = Dialect.ANSI.lexer(";" + text);
        lexer.next();
        lexer.next();
        assertThat(lexer.is(word)).isEqualTo(same);
    }

    @Test
    void parameterTokenContainsColonAndItsTextTheName() {
        SqlLexer lexer = Dialect.ANSI.lexer(":name");
        StringBuilder out = new StringBuilder();
        assertThat(lexer.next()).isEqualTo(SqlToken.PARAMETER);
        lexer.appendTo(out);
        assertThat(lexer.text()).isEqualTo("name");
        assertThat(out).hasToString(":name");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {"~E'a'\n 'b\\'c'~", "~e'a' -- c\r\n'b\\'c'~", "~E'a'\n\n'' -- c\n 'b\\'c'~", "~E'a\\'b'\r'c\\'d'~"
            })
    void stringOnNextLineContinuesEscapeString(String text) {
        assertThat(kinds(Dialect.POSTGRESQL.lexer(text))).doesNotContain(SqlToken.STRING);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "~E'a' 'b\\'~",
                "~E'a' /* c */\n'b\\'~",
                "~E'a'\n|| 'b\\'~",
                "~E'a'\n'b', 'c\\'~",
                "~'a'\n'b\\'~",
                "~E'a';\n'b\\'~"
            })
    void otherStringsDoNot(String text) {
        assertThat(kinds(Dialect.POSTGRESQL.lexer(text))).last().isEqualTo(SqlToken.STRING);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "~//~, ~a//b~, 1",
                "~//~, ~'//' // `//` /* // */~, 1",
                "~$$~, ~end$$~, 1",
                "~$$~, ~$$end$$$$ $~, 3",
                "~;;~, ~a;b;;c~, 1",
                "~GO~, ~GO x GOx xGO g go~, 3",
                "~#~, ~a # b~, 1",
                "~~, ~a // b~, 0"
            })
    void delimiterIsRecognizedOutsideQuotesAndWithinWords(String delimiter, String text, int times) {
        for (int size = 1; size < 5; size++) {
            SqlLexer lexer = new SqlLexer(Dialect.MARIADB, new Drip(text, new Random(size)), new char[size], 0);
            lexer.delimiter(delimiter);
            List<SqlToken> kinds = new ArrayList<>();
            StringBuilder whole = new StringBuilder();
            while (lexer.next() != SqlToken.END) {
                kinds.add(lexer.token());
                lexer.appendTo(whole);
            }
            assertThat(whole).hasToString(text);
            assertThat(kinds.stream().filter(SqlToken.DELIMITER::equals)).hasSize(times);
        }
    }

    @Test
    void linesAreReadAsTheyStand() {
        for (int size = 1; size < 5; size++) {
            SqlLexer lexer =
                    new SqlLexer(Dialect.ANSI, new Drip("a 'b\nc\r\n\rd\r\n", new Random(size)), new char[size], 0);
            assertThat(lexer.next()).isEqualTo(SqlToken.WORD);
            List<String> lines = new ArrayList<>();
            while (lexer.nextLine() != SqlToken.END) {
                assertThat(lexer.token()).isEqualTo(SqlToken.LINE);
                assertThat(lexer.line()).isEqualTo(lines.size() + 1);
                lines.add(lexer.text());
            }
            assertThat(lines).containsExactly(" 'b\n", "c\r\n", "\r", "d\r\n");
            assertThat(lexer.next()).isEqualTo(SqlToken.END);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2,?",
        "H2,?1",
        "H2,$1",
        "MariaDB,?",
        "MySQL,?",
        "PostgreSQL,$1",
        "PostgreSQL,$12",
        "PostgreSQL,$0",
        "PostgreSQL,$9",
        "ANSI,?"
    })
    void databaseMarkersAreRecognized(String dialect, String mark) {
        SqlLexer lexer = Dialect.ofDriver(dialect).lexer(mark);
        assertThat(lexer.next()).isEqualTo(SqlToken.MARKER);
        assertThat(lexer.text()).isEqualTo(mark);
    }

    @Test
    void dollarQuoteHasTagOnlyIfDatabaseSupportsTags() {
        Dialect tags = Dialect.POSTGRESQL.toBuilder().marker("?").build();
        assertThat(kinds(tags.lexer("$a1$ ; $a1$"))).containsExactly(SqlToken.DOLLAR_STRING);
        assertThat(kinds(tags.lexer("$1a$;$1a$"))).contains(SqlToken.SEMICOLON);
        assertThat(kinds(Dialect.H2.lexer("$a$;$a$"))).contains(SqlToken.SEMICOLON);
        assertThat(kinds(Dialect.H2.lexer("$$ ; $$"))).containsExactly(SqlToken.DOLLAR_STRING);
    }

    @Test
    void uescapeAfterARewrittenStringIsRefused() {
        SqlLexer lexer = Dialect.H2.lexer("select U&'a;!0062' UESCAPE '!'");
        StringBuilder out = new StringBuilder();
        assertThatThrownBy(() -> {
                    while (lexer.next() != SqlToken.END) {
                        lexer.appendForDriver(out);
                    }
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UESCAPE");
    }

    @Test
    void failureOfReaderIsReported() {
        SqlLexer lexer = Dialect.ANSI.lexer(new Reader() {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                throw new IOException("gone");
            }

            @Override
            public void close() {}
        });
        assertThatThrownBy(lexer::next).isInstanceOf(UncheckedIOException.class).hasRootCauseMessage("gone");
    }

    @Test
    void memoryStaysFlatOverALongText() {
        String statement = "insert into t values (1, 'some text', :p); -- and a comment\n";
        int times = 200_000;
        SqlLexer lexer = Dialect.POSTGRESQL.lexer(new Repeated(statement, times));
        long parameters = 0;
        int line = 0;
        for (SqlToken token = lexer.next(); token != SqlToken.END; token = lexer.next()) {
            if (token == SqlToken.PARAMETER) {
                parameters++;
                line = lexer.line();
            }
        }
        assertThat(parameters).isEqualTo(times);
        assertThat(line).isEqualTo(times);
        assertThat(lexer.offset()).isEqualTo((long) statement.length() * times);
        assertThat(lexer.capacity()).isBetween(1, 100_000);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            try {
                tokens(Dialect.POSTGRESQL.lexer(text + piece));
                tokens(Dialect.MARIADB.lexer(text + piece));
                tokens(Dialect.H2.lexer(text + piece));
                tokens(Dialect.ANSI.lexer(text + piece));
                text.append(piece);
            } catch (SqlSyntaxException e) {
                assertThat(e.line()).isPositive();
            }
        }
        return text.toString();
    }

    private static List<SqlToken> kinds(SqlLexer lexer) {
        return tokens(lexer).stream().map(Seen::token).toList();
    }

    private static List<Seen> tokens(SqlLexer lexer) {
        List<Seen> tokens = new ArrayList<>();
        while (lexer.next() != SqlToken.END) {
            tokens.add(seen(lexer));
        }
        return tokens;
    }

    private static Seen seen(SqlLexer lexer) {
        StringBuilder text = new StringBuilder();
        lexer.appendTo(text);
        return new Seen(lexer.token(), text.toString(), lexer.line(), lexer.column(), lexer.offset());
    }

    private record Seen(SqlToken token, String text, int line, int column, long offset) {}

    /** Gives a few characters at a time. */
    private static final class Drip extends StringReader {
        private final Random random;

        Drip(String text, Random random) {
            super(text);
            this.random = random;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(3)));
        }
    }

    /** One text many times. */
    private static final class Repeated extends Reader {
        private final String text;
        private final long length;
        private long position;

        Repeated(String text, int times) {
            this.text = text;
            this.length = (long) text.length() * times;
        }

        @Override
        public int read(char[] buffer, int offset, int most) {
            int count = (int) Math.min(most, length - position);
            for (int i = 0; i < count; i++) {
                buffer[offset + i] = text.charAt((int) (position++ % text.length()));
            }
            return count == 0 ? -1 : count;
        }

        @Override
        public void close() {}
    }
}
