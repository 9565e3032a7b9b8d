package dev.r2dbcengine.migrate.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.migrate.Chunks;
import dev.r2dbcengine.migrate.FlywayPlaceholders;
import dev.r2dbcengine.migrate.GoldenScript;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptReaderTest {

    private static final int LONG = 50_000_000;

    private static final List<Dialect> DIALECTS =
            List.of(Dialect.H2, Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL, Dialect.ANSI);

    private static final List<String> BETWEEN =
            List.of("", " ", "\n", "\r\n", ";", "-- no; 'thing\n", "/* it's; */", ";;\n;", "\n\n/* a */ ; -- b\n");

    /* Whole statements of every dialect, with all that could be mistaken for an end. */
    private static final List<String> COMMON = List.of(
            "select 1",
            "insert into t values ('a;b', 'it''s', '--', '/*')",
            "create table t(\n  id int, -- the; key\n  check (id in (1, 2))\r\n)",
            "select case a when 1 then ';' end /* ; */ from t",
            "update t set a = b - -1");

    private static final List<String> POSTGRESQL = List.of(
            "create function f() returns int begin atomic select $1; select case when true then 1 end; end",
            "select E'\\';', U&';', $$;$$, $a$ $$; $a$",
            "create rule r as on insert to t do instead (select 1; select 2)",
            "select E'a'\n '\\';'");

    private static final List<String> MARIADB = List.of(
            "create procedure p() begin if a then select if(1, ';', 2); end if; lp:loop leave lp; end loop; end",
            "create trigger t before insert on t for each row if a then set b = 1; else set b = 2; end if",
            "begin not atomic select 1; end",
            "select '\\';', \"\\\";\", `;` # it's; no end\n from t",
            "/*! select ';'; */");

    private static List<String> whole(Dialect dialect) {
        List<String> statements = new ArrayList<>(COMMON);
        if (dialect == Dialect.POSTGRESQL) {
            statements.addAll(POSTGRESQL);
        } else if (dialect == Dialect.MARIADB || dialect == Dialect.MYSQL) {
            statements.addAll(MARIADB);
        }
        return statements;
    }

    @RepeatedTest(300)
    void joinedStatementsAreSplitAgain() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Dialect dialect = DIALECTS.get(random.nextInt(DIALECTS.size()));
        List<String> statements = new ArrayList<>();
        StringBuilder script = new StringBuilder(between(random));
        for (int i = random.nextInt(10); i > 0; i--) {
            String statement = whole(dialect).get(random.nextInt(whole(dialect).size()));
            statements.add(statement);
            script.append(statement).append("\n;").append(between(random)).append(';');
        }
        assertThat(texts(dialect, script.toString())).as("seed %d", seed).isEqualTo(statements);
    }

    /* Comments before a statement belong to it: here one that only a ';' parts from the next. */
    private static String between(Random random) {
        return BETWEEN.get(random.nextInt(BETWEEN.size())) + "\n;";
    }

    @RepeatedTest(300)
    void onlyDelimitersAndLoneCommentsAreDropped() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Dialect dialect = DIALECTS.get(random.nextInt(DIALECTS.size()));
        String script = shuffled(dialect, random);
        List<String> statements;
        try {
            statements = texts(dialect, script);
        } catch (ScriptException e) {
            assertThat(e.line()).as("seed %d", seed).isPositive();
            return;
        }
        assertThat(statements.stream().map(text -> code(dialect, text)))
                .as("seed %d", seed)
                .doesNotContain("");
        assertThat(statements.stream().map(text -> code(dialect, text)).collect(Collectors.joining()))
                .as("seed %d", seed)
                .isEqualTo(code(dialect, script));
    }

    /* Words of statements in any order, so that blocks and parentheses open and close anywhere. */
    private static String shuffled(Dialect dialect, Random random) {
        List<String> words = whole(dialect).stream()
                .flatMap(statement -> tokens(dialect, statement).stream())
                .toList();
        StringBuilder script = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            String word = words.get(random.nextInt(words.size()));
            script.append(word).append(word.startsWith("-") || word.startsWith("#") ? "\n" : " ");
            script.append(random.nextInt(4) == 0 ? "; " : "");
        }
        return script.toString();
    }

    private static List<String> tokens(Dialect dialect, String text) {
        List<String> tokens = new ArrayList<>();
        SqlLexer lexer = dialect.lexer(text);
        while (lexer.next() != SqlToken.END) {
            StringBuilder token = new StringBuilder();
            lexer.appendTo(token);
            tokens.add(token.toString());
        }
        return tokens;
    }

    private static String code(Dialect dialect, String text) {
        SqlLexer lexer = dialect.lexer(text);
        StringBuilder code = new StringBuilder();
        while (lexer.next() != SqlToken.END) {
            switch (lexer.token()) {
                case SPACE, COMMENT, SEMICOLON -> {}
                default -> lexer.appendTo(code);
            }
        }
        return code.toString();
    }

    static List<GoldenScript> cases() {
        return GoldenScript.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void resultDoesNotDependOnTheBuffer(GoldenScript golden) throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int most = 1; most < 6; most++) {
            try (ScriptReader reader =
                    reader(golden.dialect(), new Chunks(new StringReader(golden.script()), random, most))) {
                assertThat(GoldenScript.render(golden.dialect(), reader))
                        .as("seed %d", seed)
                        .isEqualTo(golden.statements());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void endOfDataIsFinal(String after) throws IOException {
        Script script = GoldenScript.script("copy t from stdin;\n1\n\\." + after);
        try (ScriptReader reader = script.open(Dialect.ofDriver("postgresql"), GoldenScript.VERSION)) {
            assertThat(reader.next()).isNotNull();
            assertThat(GoldenScript.text(reader.data())).isEqualTo("1\n");
            assertThat(GoldenScript.text(reader.data())).isEmpty();
        }
    }

    @Test
    void unreadDataIsSkipped() {
        ScriptReader reader =
                reader(Dialect.POSTGRESQL, new StringReader("copy t from stdin;\n'\n(\n\\.\nselect 1; select 2"));
        assertThat(next(reader).copiesData()).isTrue();
        assertThat(next(reader).text()).isEqualTo("select 1");
        assertThat(next(reader).line()).isEqualTo(5);
        assertThat(reader.next()).isNull();
    }

    @Test
    void partlyReadDataIsSkipped() throws IOException {
        ScriptReader reader = reader(Dialect.POSTGRESQL, new StringReader("copy t from stdin;\nab\nc\n\\.\nselect 1"));
        next(reader);
        assertThat(reader.data().read()).isEqualTo('a');
        assertThat(next(reader).text()).isEqualTo("select 1");
        assertThat(GoldenScript.text(reader.data())).isEmpty();
    }

    @Test
    void dataStayOpenUntilClosed() throws IOException {
        ScriptReader reader = reader(Dialect.POSTGRESQL, new StringReader("copy t from stdin;\nab\n\\.\nselect 1"));
        next(reader);
        reader.data().close();
        assertThat(GoldenScript.text(reader.data())).isEqualTo("ab\n");
        assertThat(next(reader).text()).isEqualTo("select 1");
    }

    @Test
    void readerIsClosed() throws IOException {
        AtomicBoolean closed = new AtomicBoolean();
        reader(Dialect.H2, new StringReader("") {
                    @Override
                    public void close() {
                        closed.set(true);
                    }
                })
                .close();
        assertThat(closed).isTrue();
    }

    @Test
    void markOutsideTransactionIsRefused() {
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> texts(Dialect.POSTGRESQL, "select 1;\nvacuum $1"))
                .withMessageContainingAll("V1__x.sql, line 2", "$1", "transaction");
    }

    @Test
    void longScriptIsSplitInConstantMemory() {
        String statement = "insert into orders(id, customer) values (1, 'it''s; a name'); -- and ${a}\n";
        int times = LONG / statement.length();
        Repeated source = new Repeated("", statement, times, "");
        PlaceholderReader text =
                new PlaceholderReader("f", new Checksum(source), FlywayPlaceholders.of(Map.of("a", "b")));
        ScriptReader reader = new ScriptReader(Dialect.POSTGRESQL, 17, "f", text, text::sourceLine);
        int lines = 0;
        for (int line = 1; line <= times; line++) {
            lines += next(reader).line() == line ? 1 : 0;
            source.assertReadTo((long) line * statement.length());
        }
        assertThat(lines).isEqualTo(times);
        assertThat(reader.next()).isNull();
    }

    @Test
    void longDataAreReadInConstantMemory() throws IOException {
        String row = "1\tit's; a name\n";
        int times = LONG / row.length();
        Repeated source = new Repeated("copy t from stdin;\n", row, times, "\\.\nselect 1");
        ScriptReader reader = reader(Dialect.POSTGRESQL, source);
        next(reader);
        char[] buffer = new char[row.length()];
        int rows = 0;
        for (int i = 1; i <= times; i++) {
            rows += reader.data().read(buffer) == row.length() ? 1 : 0;
            source.assertReadTo((long) i * row.length());
        }
        assertThat(rows).isEqualTo(times);
        assertThat(reader.data().read(buffer)).isEqualTo(-1);
        assertThat(next(reader).line()).isEqualTo(times + 3);
    }

    /** A text repeated many times between two others. Fails if much more of it is read than is needed next. */
    private static final class Repeated extends Reader {
        private static final int AHEAD = 50_000;

        private final String before;
        private final String text;
        private final String after;
        private final long end;
        private long position;

        Repeated(String before, String text, int times, String after) {
            this.before = before;
            this.text = text;
            this.after = after;
            this.end = before.length() + (long) times * text.length();
        }

        void assertReadTo(long needed) {
            if (position - needed > AHEAD) {
                throw new AssertionError(position + " characters are read where " + needed + " are needed");
            }
        }

        @Override
        public int read(char[] buffer, int offset, int most) {
            int count = (int) Math.min(most, end + after.length() - position);
            for (int i = 0; i < count; i++) {
                buffer[offset + i] = at(position++);
            }
            return count == 0 ? -1 : count;
        }

        private char at(long index) {
            if (index < before.length()) {
                return before.charAt((int) index);
            }
            return index < end
                    ? text.charAt((int) ((index - before.length()) % text.length()))
                    : after.charAt((int) (index - end));
        }

        @Override
        public void close() {}
    }

    private static ScriptStatement next(ScriptReader reader) {
        ScriptStatement next = reader.next();
        assertThat(next).isNotNull();
        return Objects.requireNonNull(next);
    }

    private static List<String> texts(Dialect dialect, String script) {
        List<String> texts = new ArrayList<>();
        ScriptReader reader = reader(dialect, new StringReader(script));
        for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
            texts.add(next.text());
        }
        return texts;
    }

    private static ScriptReader reader(Dialect dialect, Reader text) {
        return new ScriptReader(dialect, GoldenScript.VERSION, GoldenScript.FILE, text, (offset, line) -> line);
    }
}
