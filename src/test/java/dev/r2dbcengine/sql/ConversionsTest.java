package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConversionsTest {

    private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2024-02-29T12:34:56Z");
    private static final UUID ID = UUID.fromString("3f2b9c1e-0d4a-4b6f-9a57-1c2d3e4f5a6b");

    static Stream<Arguments> conversions() {
        return Stream.of(
                Arguments.of(7L, 7),
                Arguments.of(7, 7L),
                Arguments.of(7, (short) 7),
                Arguments.of(7, (byte) 7),
                Arguments.of(7, new BigDecimal("7")),
                Arguments.of(new BigDecimal("7.00"), new BigInteger("7")),
                Arguments.of(new BigDecimal("1.5"), 1.5),
                Arguments.of(1.5, 1.5f),
                Arguments.of(Float.NaN, Double.NaN),
                Arguments.of((byte) 1, true),
                Arguments.of(0L, false),
                Arguments.of("GREEN", SqlContract.Colour.GREEN),
                Arguments.of(ID.toString(), ID),
                Arguments.of(ID, ID.toString()),
                Arguments.of("x", 'x'),
                Arguments.of(CharBuffer.wrap("text"), "text"),
                Arguments.of(ByteBuffer.wrap(new byte[] {1, 2}), new byte[] {1, 2}),
                Arguments.of(new Object[] {1, null}, new Long[] {1L, null}),
                Arguments.of(new Integer[] {1, 2}, new int[] {1, 2}),
                Arguments.of(MOMENT, MOMENT.toInstant()),
                Arguments.of(MOMENT, MOMENT.toZonedDateTime()),
                Arguments.of(MOMENT.toZonedDateTime(), MOMENT),
                Arguments.of(MOMENT.toZonedDateTime(), MOMENT.toInstant()),
                Arguments.of(MOMENT.toInstant(), MOMENT.withOffsetSameInstant(ZoneOffset.UTC)));
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void valueThatFitsIsConverted(Object value, Object expected) {
        assertThat(Conversions.convert(value, expected.getClass())).isEqualTo(expected);
    }

    static Stream<Arguments> none() {
        return Stream.of(
                Arguments.of(7, AtomicLong.class),
                Arguments.of(7, LocalDate.class),
                Arguments.of("xy", Character.class),
                Arguments.of("2024-02-29", LocalDate.class),
                Arguments.of(true, String.class),
                Arguments.of(true, byte[].class),
                Arguments.of(new byte[] {1}, int[].class),
                Arguments.of(ByteBuffer.wrap(new byte[] {1}), int[].class),
                Arguments.of(new Object[] {null}, int[].class),
                Arguments.of(new Object[] {true}, Integer[].class),
                Arguments.of(MOMENT, LocalDate.class),
                Arguments.of(MOMENT.toZonedDateTime(), LocalDate.class),
                Arguments.of(Instant.EPOCH, ZonedDateTime.class),
                Arguments.of(Duration.ZERO, Instant.class));
    }

    @ParameterizedTest
    @MethodSource("none")
    void valueWithoutConversionIsLeftToDriver(Object value, Class<?> type) {
        assertThat(Conversions.convert(value, type)).isNull();
    }

    static Stream<Arguments> misfits() {
        return Stream.of(
                Arguments.of(1L << 40, Integer.class),
                Arguments.of(300, Byte.class),
                Arguments.of(new BigDecimal("1.5"), Long.class),
                Arguments.of(new BigDecimal("1.5"), BigInteger.class),
                Arguments.of(2, Boolean.class),
                Arguments.of(1L << 32, Boolean.class),
                Arguments.of(0.5, Boolean.class),
                Arguments.of("MAUVE", SqlContract.Colour.class),
                Arguments.of("no id", UUID.class));
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void valueThatDoesNotFitIsRejected(Object value, Class<?> type) {
        assertThatThrownBy(() -> Conversions.convert(value, type))
                .isInstanceOfAny(ArithmeticException.class, IllegalArgumentException.class);
    }

    @Test
    void arraysOfPrimitivesAreBoxedForTheDriverAndBytesAreNot() {
        assertThat(PrimitiveTypes.boxedArray(new int[] {1, 2})).isEqualTo(new Integer[] {1, 2});
        assertThat(PrimitiveTypes.boxedArray(int[].class)).isEqualTo(Integer[].class);
        assertThat(PrimitiveTypes.boxedArray(byte[].class)).isEqualTo(byte[].class);
        assertThat(Objects.requireNonNull(PrimitiveTypes.boxed(int.class))).isEqualTo(Integer.class);
    }
}
