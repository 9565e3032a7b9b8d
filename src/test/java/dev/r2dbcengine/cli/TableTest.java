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
                    List.of("", "数据 cafe\u0301 ｱ", "Pending")));

    @Test
    void columnsAreAlignedWithoutTrailingSpaces() {
        assertThat(TABLE.lines(100, "…"))
                .containsExactly(
                        "Version        Description                                        State",
                        "-------------  -------------------------------------------------  -------",
                        "1              a description that is much longer than all others  Success",
                        "20261128.0132  short                                              Pending",
                        "               数据 cafe\u0301 ｱ                                        Pending");
    }

    @Test
    void widestColumnIsTruncated() {
        assertThat(TABLE.lines(40, "…"))
                .containsExactly(
                        "Version        Description       State",
                        "-------------  ----------------  -------",
                        "1              a description t…  Success",
                        "20261128.0132  short             Pending",
                        "               数据 cafe\u0301 ｱ       Pending");
    }

    @Test
    void wideCharacterIsNotHalved() {
        assertThat(Table.cut("数据库", 4, "…")).isEqualTo("数…");
        assertThat(Table.cut("数据库", 5, "…")).isEqualTo("数据…");
        assertThat(Table.cut("数据库", 6, "…")).isEqualTo("数据库");
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
