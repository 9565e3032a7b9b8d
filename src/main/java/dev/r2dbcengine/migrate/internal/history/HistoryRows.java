package dev.r2dbcengine.migrate.internal.history;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import io.r2dbc.spi.Row;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a history table, whose columns may be in upper or lower case. */
public final class HistoryRows {

    private HistoryRows() {}

    /** Returns the migration; null for a row with the session only. */
    public static @Nullable AppliedMigration read(Row row) {
        Integer rank = number(row, "installed_rank");
        return rank == null
                ? null
                : new AppliedMigration(
                        rank,
                        version(row.get("version", String.class)),
                        text(row, "description"),
                        MigrationType.of(text(row, "type")),
                        text(row, "script"),
                        number(row, "checksum"),
                        text(row, "installed_by"),
                        time(row.get("installed_on")),
                        Duration.ofMillis(Objects.requireNonNullElse(number(row, "execution_time"), 0)),
                        flag(row.get("success")));
    }

    private static @Nullable MigrationVersion version(@Nullable String text) {
        return text == null ? null : MigrationVersion.of(text);
    }

    private static @Nullable Integer number(Row row, String column) {
        return row.get(column) instanceof Number number ? number.intValue() : null;
    }

    private static String text(Row row, String column) {
        return Objects.requireNonNullElse(row.get(column, String.class), "");
    }

    private static LocalDateTime time(@Nullable Object time) {
        if (time instanceof OffsetDateTime zoned) {
            return zoned.toLocalDateTime();
        }
        return time instanceof LocalDateTime local ? local : LocalDateTime.MIN;
    }

    private static boolean flag(@Nullable Object value) {
        return value instanceof Number number ? number.intValue() != 0 : Boolean.TRUE.equals(value);
    }
}
