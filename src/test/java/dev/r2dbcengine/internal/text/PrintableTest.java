package dev.r2dbcengine.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "V1__a.sql", "Größe 漢字 שלום \ud83d\ude00", "a\\u001b"})
    void whatIsSeenStaysAsItIs(String text) {
        assertThat(Printable.line(text)).isEqualTo(text);
        assertThat(Printable.lines(text)).isEqualTo(text);
    }

    @Test
    void whatActsIsWrittenByItsNumber() {
        String text = "a\u001b[2J\0\u007f\u0085\u2028\u2029\u200f\u202e\u2066\ud800b";
        assertThat(Printable.line(text))
                .isEqualTo("a\\u001b[2J\\u0000\\u007f\\u0085\\u2028\\u2029\\u200f\\u202e\\u2066\\ud800b")
                .isEqualTo(Printable.lines(text));
    }

    @Test
    void linesAreKeptWhereTheyAreWanted() {
        assertThat(Printable.line("a\tb\r\nc")).isEqualTo("a\\u0009b\\u000d\\u000ac");
        assertThat(Printable.lines("a\tb\r\nc")).isEqualTo("a\tb\r\nc");
    }
}
