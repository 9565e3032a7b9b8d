package dev.r2dbcengine.sql;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Values for the round trip. */
final class ContractTypes {

    static final LocalDate DATE = LocalDate.of(2024, 2, 29);
    static final LocalTime TIME = LocalTime.of(12, 34, 56, 123_456_000);
    static final LocalDateTime DATE_TIME = LocalDateTime.of(DATE, TIME);
    static final OffsetDateTime OFFSET = OffsetDateTime.parse("2024-02-29T12:34:56.123456Z");
    static final Instant INSTANT = OFFSET.toInstant();
    static final UUID ID = UUID.fromString("3f2b9c1e-0d4a-4b6f-9a57-1c2d3e4f5a6b");
    static final BigDecimal DECIMAL = new BigDecimal("123456789012345.67890");
    static final byte[] BYTES = "bytes;:'\0".getBytes(StandardCharsets.ISO_8859_1);
    static final String TEXT = "it's; \"ü\" €😀\\ :no $1 ?";

    private ContractTypes() {}
}
