package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements on MariaDB, with each driver. */
abstract class MariaDbSqlContract extends SqlContract {

    MariaDbSqlContract(String driver) {
        super(new MariaDbSql(driver));
    }

    @Test
    void sessionIsInUtcWhateverTheZoneOfTheServer() {
        bed.run("set global time_zone = '+05:00'");
        try {
            bed.reconnect();
            assertThat(bed.sql("select @@session.time_zone")
                            .map(String.class)
                            .one()
                            .block(LONG))
                    .isEqualTo("+00:00");
            assertThat(bed.sql("select unix_timestamp(:at)")
                            .bind("at", Instant.ofEpochSecond(1_710_037_800))
                            .map(Long.class)
                            .one()
                            .block(LONG))
                    .isEqualTo(1_710_037_800);
            assertThat(bed.sql("select now()").map(LocalDateTime.class).one().block(LONG))
                    .isBetween(now().minusMinutes(5), now().plusMinutes(5));
        } finally {
            bed.run("set global time_zone = 'SYSTEM'");
            bed.reconnect();
        }
    }

    @Test
    void timeOfMoreThanADayIsADuration() {
        for (String time : List.of("100:00:00", "24:00:00", "-00:00:01")) {
            SqlStatement select = bed.sql("select cast(:time as time) as t").bind("time", time);
            assertThat(select.map(Duration.class).one().block(LONG))
                    .matches(found -> found.isNegative() || found.toDays() > 0);
            assertThatExceptionOfType(RowMappingException.class)
                    .isThrownBy(() -> select.map(LocalTime.class).one().block(LONG))
                    .withMessageContaining(
                            "'t' of type java.time.Duration cannot become a value of type java.time.LocalTime");
            assertThatExceptionOfType(RowMappingException.class)
                    .isThrownBy(() -> select.map((row, metadata) -> row.get("T", LocalTime.class))
                            .one()
                            .block(LONG));
        }
        assertThat(bed.sql("select cast('23:59:59.999999' as time(6))")
                        .map(LocalTime.class)
                        .one()
                        .block(LONG))
                .isEqualTo("23:59:59.999999");
    }

    private static LocalDateTime now() {
        return LocalDateTime.now(ZoneOffset.UTC);
    }
}
