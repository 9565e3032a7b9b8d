package dev.r2dbcengine.migrate.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.migrate.Chunks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.flywaydb.core.internal.resolver.ChecksumCalculator;
import org.flywaydb.core.internal.resource.StringResource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChecksumTest {

    private static final List<String> PIECES = List.of(
            "a", ";", "\n", "\r", "\r\n", "\n\n", " ", "\t", "é", "€", "😀", "\uFEFF", "\u2028", "\f", "select 1;");

    static Stream<Arguments> known() {
        return Stream.of(
                Arguments.of("SELECT 1;\n", 78787420),
                Arguments.of("SELECT 1;\r\n", 78787420),
                Arguments.of("\uFEFFSELECT 1;", 78787420),
                Arguments.of("\n\nSELECT 1;\r\r\n\n", 78787420),
                Arguments.of(
                        "alter table location_history add column valid_until timestamp with time zone;", -1039259818),
                Arguments.of("a\nb\n", -1635563411),
                Arguments.of("ab", -1635563411),
                Arguments.of("CREATE TABLE t(id int);\nINSERT INTO t VALUES (1);\n", -657446903),
                Arguments.of("CREATE TABLE t(id int);\r\n\r\nINSERT INTO t VALUES (1);\r\n", -657446903),
                Arguments.of("-- é ü\nSELECT '€';\n", -1972510862),
                Arguments.of("", 0));
    }

    @ParameterizedTest
    @MethodSource("known")
    void checksumOfKnownTextEqualsFlyways(String text, int expected) throws IOException {
        assertThat(checksum(text, 8192)).isEqualTo(expected);
        assertThat(ChecksumCalculator.calculate(new StringResource(text))).isEqualTo(expected);
    }

    @RepeatedTest(200)
    void checksumOfRandomTextEqualsFlyways() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())).repeat(1 + random.nextInt(3)));
        }
        text.append("x😀\n".repeat(random.nextInt(5000)));
        assertThat(checksum(text.toString(), 1 + random.nextInt(9000)))
                .as("seed %d", seed)
                .isEqualTo(ChecksumCalculator.calculate(new StringResource(text.toString())));
    }

    @Test
    void checksumDoesNotDependOnTheEncoding() throws IOException {
        assertThat(checksum(new ScriptDecoder(
                        "f",
                        new ByteArrayInputStream("é".getBytes(StandardCharsets.ISO_8859_1)),
                        StandardCharsets.ISO_8859_1)))
                .isEqualTo(checksum("é", 8192));
    }

    private static int checksum(String text, int most) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return checksum(new Chunks(
                new ScriptDecoder("f", new ByteArrayInputStream(bytes), StandardCharsets.UTF_8),
                new Random(most),
                most));
    }

    private static int checksum(Reader text) throws IOException {
        Checksum checksum = new Checksum(text);
        checksum.transferTo(Writer.nullWriter());
        return checksum.value();
    }

    @Test
    void checksumDoesNotDependOnTheBuffer() throws IOException {
        Checksum checksum = new Checksum(new StringReader("ab"));
        assertThat(List.of(checksum.read(), checksum.read(), checksum.read()))
                .containsExactly((int) 'a', (int) 'b', -1);
        assertThat(checksum.value()).isEqualTo(-1635563411);
    }
}
