package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.internal.text.BoundedCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsedSqlTest {

    private static final List<String> PIECES = List.of(
            "select ",
            "x",
            " 'it''s :no'",
            " \"q:no\"",
            "/* :no */",
            "-- :no\n",
            " '12:30' ",
            "::int ",
            " := ",
            "a[1 : 2] ",
            ",",
            "(",
            ")",
            " = ",
            " and ",
            "\n",
            "\r\n",
            " 1.5 ",
            " $$ $$ ",
            "|| 'a' ",
            " /* ' */ ",
            "<",
            ">",
            "ü");

    static Stream<Dialect> dialects() {
        return Stream.of(Dialect.H2, Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL, Dialect.ANSI);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy t from stdin",
                "/* a */ COPY t (a, \"from\") FROM -- here\n STDIN with (format csv)",
                "copy (select 1 from x) to stdout;",
                "copy t to/**/stdout"
            })
    void copyWithTheClientIsRefusedOnPostgreSql(String sql) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> new ParsedSql(Dialect.POSTGRESQL, sql))
                .withMessageContaining("batch(…)")
                .withMessageContaining(sql);
        assertThat(new ParsedSql(Dialect.H2, sql).names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy t from 'stdin'",
                "copy (select 1 from stdin) to '/tmp/x'",
                "select a from stdin",
                "copy t from program 'stdin'",
                "copy \"from stdin\" to '/x'"
            })
    void otherStatementsThatNameStdinAreSent(String sql) {
        assertThat(new ParsedSql(Dialect.POSTGRESQL, sql).names()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void textWithoutParametersIsUnchanged(Dialect dialect) {
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            String text = text(random);
            ParsedSql parsed = new ParsedSql(dialect, text);
            assertThat(parsed.names()).isEmpty();
            assertThat(parsed.driverSql(new Object[0], null).text()).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void onlyParametersOutsideQuotesAndCommentsAreFound(Dialect dialect) {
        Random random = new Random(2);
        for (int i = 0; i < 5_000; i++) {
            String text = text(random);
            List<Integer> places = places(dialect, text);
            int place = places.get(random.nextInt(places.size()));
            String with = text.substring(0, place) + " :p " + text.substring(place);
            ParsedSql parsed = new ParsedSql(dialect, with);
            assertThat(parsed.names()).as(with).containsExactly("p");
            assertThat(parsed.driverSql(new Object[] {1}, null).text())
                    .isEqualTo(text.substring(0, place) + " " + dialect.marker(1) + " " + text.substring(place));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL,'a in ($1, $2, $3) or b in ($1, $2, $3) and c = $4'",
        "MariaDB,'a in (?, ?, ?) or b in (?, ?, ?) and c = ?'"
    })
    void listExpandsAtEachOccurrence(String dialect, String expected) {
        ParsedSql parsed = new ParsedSql(Dialect.ofDriver(dialect), "a in (:ids) or b in (:ids) and c = :c");
        @Nullable Object[] values = {new ArrayList<>(List.of(1, 2, 3)), "c"};
        assertThat(parsed.driverSql(values, null).text()).isEqualTo(expected);
        assertThat(parsed.driverSql(new Object[] {1, 2}, null)).isSameAs(parsed.driverSql(new Object[] {3, 4}, null));
    }

    @Test
    void tooManyValuesAreAnErrorBeforeTheDriverMiscounts() {
        ParsedSql parsed = new ParsedSql(Dialect.POSTGRESQL, "select :many");
        List<Integer> many = new ArrayList<>();
        for (int i = 0; i < 65_535; i++) {
            many.add(i);
        }
        assertThat(parsed.driverSql(new Object[] {many}, null).marks()).isEqualTo(65_535);
        many.add(65_535);
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> parsed.driverSql(new Object[] {many}, null))
                .withMessageContaining(
                        "binds 65536 values, and PostgreSQL takes 65535: bind one array instead of a list, = any(:ids)");
    }

    @ParameterizedTest
    @CsvSource({"H2,select ?", "MariaDB,select ?", "PostgreSQL,select $1", "H2,select $1"})
    void parameterWithoutNameIsRejected(String dialect, String sql) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> new ParsedSql(Dialect.ofDriver(dialect), sql))
                .withMessageContaining("line 1, column 8 has no name: write :name");
    }

    @Test
    void statementForReturningHasNoTail() {
        ParsedSql parsed = new ParsedSql(Dialect.POSTGRESQL, "insert into t values (:a) ; -- done\n");
        assertThat(parsed.driverSql(new Object[] {1}, List.of("id")).text()).isEqualTo("insert into t values ($1)");
        ParsedSql last = new ParsedSql(Dialect.POSTGRESQL, "insert into t select :a /* done */");
        assertThat(last.driverSql(new Object[] {1}, List.of("id")).text()).isEqualTo("insert into t select $1");
    }

    @ParameterizedTest
    @CsvSource({
        "MariaDB,update t set a = 1,MariaDB does not return columns of update: select them before [update t set a = 1]",
        "MariaDB,/* now */ delete from t,",
        "PostgreSQL,update t set a = 1,"
    })
    void statementThatCannotReturnColumnsIsRejected(String dialect, String sql, @Nullable String message) {
        ParsedSql parsed = new ParsedSql(Dialect.ofDriver(dialect), sql);
        if (message == null) {
            assertThat(parsed.driverSql(new Object[0], List.of("id")).text()).isEqualTo(sql);
        } else {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> parsed.driverSql(new Object[0], List.of("id")))
                    .withMessage(message);
        }
    }

    @ParameterizedTest
    @CsvSource({"a=:a$b,a=$1 $b", "in:a,in $1", "é:a,é $1", "1:a,1 $1", ":a:b,$1 $2"})
    void markerIsSeparatedFromNeighbours(String sql, String text) {
        ParsedSql parsed = new ParsedSql(Dialect.POSTGRESQL, sql);
        assertThat(parsed.driverSql(new Object[] {1, 2}, null).text()).isEqualTo(text);
    }

    @Test
    void parsedStatementsAreKeptUpToABound() {
        BoundedCache<String, ParsedSql> kept = new BoundedCache<>(100);
        ParsedSql first = kept.get("select 0", sql -> new ParsedSql(Dialect.H2, sql));
        assertThat(kept.get("select 0", sql -> new ParsedSql(Dialect.H2, sql))).isSameAs(first);
        for (int i = 1; i < 5_000; i++) {
            kept.get("select " + i, sql -> new ParsedSql(Dialect.H2, sql));
        }
        List<String> again = new ArrayList<>();
        for (int i = 4_999; i > 0; i--) {
            kept.get("select " + i, sql -> {
                again.add(sql);
                return new ParsedSql(Dialect.H2, sql);
            });
        }
        assertThat(again).hasSize(4_999 - 100);
        assertThat(kept.get("select 0", sql -> new ParsedSql(Dialect.H2, sql))).isNotSameAs(first);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(15); i >= 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    /* Where tokens begin, and the end; not behind a comment that only the line ends. */
    private static List<Integer> places(Dialect dialect, String text) {
        List<Integer> places = new ArrayList<>();
        SqlLexer lexer = dialect.lexer(text);
        boolean comment;
        do {
            comment = lexer.token() == SqlToken.COMMENT && lexer.text().startsWith("--");
            lexer.next();
            if (!comment) {
                places.add((int) lexer.offset());
            }
        } while (lexer.token() != SqlToken.END);
        return places;
    }
}
