package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {
    private static final Table TABLE = new Table(
            List.of("Version", "Description", "State"),
            List.of(
                    List.of("1", "a description that is much longer than all others", "Success"),
                    List.of("20261128.0132", "short", "Pending"),
                    List.of("", "😀 is one column", "")));

    @Test
    void columnsAreAlignedWithoutTrailingSpaces() {
        assertThat(TABLE.lines(100, "…"))
                .containsExactly(
                        "Version        Description                                        State",
                        "-------------  -------------------------------------------------  -------",
                        "1              a description that is much longer than all others  Success",
                        "20261128.0132  short                                              Pending",
                        "               😀 is one column");
    }

    @Test
    void widestColumnIsTruncated() {
        assertThat(TABLE.lines(40, "…"))
                .containsExactly(
                        "Version        Description       State",
                        "-------------  ----------------  -------",
                        "1              a description t…  Success",
                        "20261128.0132  short             Pending",
                        "               😀 is one column");
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 30, 57, 72, 73, 74})
    void noLineIsLongerThanTheWidth(int width) {
        assertThat(TABLE.lines(width, ".."))
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(width));
    }

    @Test
    void everyColumnKeepsOneCharacter() {
        assertThat(TABLE.lines(1, "…")).first().isEqualTo("V…  D…  S…");
    }
}
