package dev.r2dbcengine.migrate.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.migrate.GoldenScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptDecoderTest {

    @ParameterizedTest
    @CsvSource({"UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1"})
    void textIsDecodedUnchanged(Charset charset) throws IOException {
        assertThat(decode("select 'é';\n".getBytes(charset), charset)).isEqualTo("select 'é';\n");
    }

    @Test
    void byteOrderMarkIsDroppedOnce() throws IOException {
        assertThat(decode("\uFEFFa\uFEFF")).isEqualTo("a\uFEFF");
        assertThat(decode("\uFEFF\uFEFFa")).isEqualTo("\uFEFFa");
        assertThat(decode("\uFEFF")).isEmpty();
        assertThat(decode("")).isEmpty();
        assertThat(decode(" \uFEFF")).isEqualTo(" \uFEFF");
    }

    @Test
    void byteOrderMarkReadAloneIsDropped() throws IOException {
        try (ScriptDecoder decoder = decoder("\uFEFFa".getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)) {
            assertThat(decoder.read()).isEqualTo('a');
            assertThat(decoder.read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @CsvSource({"UTF-8,select 'é'", "US-ASCII,select 'é'", "UTF-8,é"})
    void invalidBytesAreReportedWithRemedy(Charset charset, String text) {
        assertThatExceptionOfType(ScriptException.class)
                .isThrownBy(() -> decode(text.getBytes(StandardCharsets.ISO_8859_1), charset))
                .withMessageContainingAll("V1__x.sql", charset.toString(), "encoding", "V1__x.sql.conf")
                .withMessageStartingWith("V1__x.sql: ")
                .satisfies(e -> assertThat(e.line()).isZero());
    }

    @Test
    void sourceIsClosed() throws IOException {
        AtomicBoolean closed = new AtomicBoolean();
        InputStream source = new ByteArrayInputStream(new byte[0]) {
            @Override
            public void close() {
                closed.set(true);
            }
        };
        new ScriptDecoder("f", source, StandardCharsets.UTF_8).close();
        assertThat(closed).isTrue();
    }

    private static String decode(String text) throws IOException {
        return decode(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static String decode(byte[] bytes, Charset charset) throws IOException {
        return GoldenScript.text(decoder(bytes, charset));
    }

    private static ScriptDecoder decoder(byte[] bytes, Charset charset) {
        return new ScriptDecoder("V1__x.sql", new ByteArrayInputStream(bytes), charset);
    }
}
