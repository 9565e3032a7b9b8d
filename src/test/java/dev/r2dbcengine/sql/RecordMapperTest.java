package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.testing.FakeRow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordMapperTest {

    record Names(String firstName, Optional<Long> shoeSize, int n) {}

    record Raw(@SuppressWarnings("rawtypes") Optional any, Optional<List<String>> list) {}

    record Broken(int n) {
        public Broken {
            if (n == 1) {
                throw new LinkageError("broken");
            }
        }
    }

    @Test
    void columnsFitWithoutRegardToCaseAndUnderscores() {
        FakeRow row = FakeRow.of("FIRST_NAME", "Ada", "shoesize", 38, "N", 7L, "other", "x");
        assertThat(RecordMapper.of(Names.class).map(row, row)).isEqualTo(new Names("Ada", Optional.of(38L), 7));
        assertThat(RecordMapper.of(Names.class).forResult(row).map(row, row))
                .isEqualTo(new Names("Ada", Optional.of(38L), 7));
    }

    @Test
    void eachResultMayHaveOtherColumns() {
        FakeRow first = FakeRow.of("first_name", "Ada", "shoe_size", 38L, "n", 7);
        FakeRow swapped = FakeRow.of("n", 7, "shoe_size", 38L, "first_name", "Ada");
        FakeRow otherTypes = FakeRow.of("n", 7L, "shoe_size", 38, "first_name", "Ada");
        FakeRow fewer = FakeRow.of("n", 7L, "shoe_size", 38);
        RowMapper<Names> mapper = RecordMapper.of(Names.class);
        for (FakeRow row : List.of(first, first, swapped, otherTypes, first)) {
            assertThat(mapper.map(row, row)).isEqualTo(new Names("Ada", Optional.of(38L), 7));
        }
        assertThatThrownBy(() -> mapper.map(fewer, fewer)).isInstanceOf(Mismatch.class);
    }

    @Test
    void anOptionalWithoutAKnownTypeTakesWhatTheDriverHas() {
        FakeRow row = FakeRow.of("any", 1, "list", List.of("a"));
        assertThat(RecordMapper.of(Raw.class).map(row, row))
                .isEqualTo(new Raw(Optional.of(1), Optional.of(List.of("a"))));
    }

    private record Count(int n) {}

    @Test
    void aRecordThatNobodyElseSeesIsMadeAllTheSame() {
        FakeRow row = FakeRow.of("n", 1);
        assertThat(RecordMapper.of(Count.class).map(row, row)).isEqualTo(new Count(1));
    }

    @Test
    void twoColumnsForOneComponentAreNamed() {
        FakeRow row = FakeRow.of("m", 0, "n", 1, "other", 2, "N_", 3);
        assertThatThrownBy(() -> RecordMapper.of(Count.class).map(row, row))
                .isInstanceOf(Mismatch.class)
                .hasMessage("Columns 2 and 4 both fit component 'n' of " + Count.class.getName()
                        + ": give one of them another name");
    }

    @Test
    void aPrimitiveComponentIsNoNull() {
        FakeRow row = FakeRow.of("n", null);
        assertThatThrownBy(() -> RecordMapper.of(Count.class).map(row, row))
                .isInstanceOf(Mismatch.class)
                .hasMessage("Column 'n' is NULL, which component 'n' of " + Count.class.getName()
                        + " of type java.lang.Integer cannot be: use a type that may be null, or Optional");
    }

    @Test
    void anErrorOfARecordIsNotWrapped() {
        FakeRow row = FakeRow.of("n", 1);
        assertThatThrownBy(() -> RecordMapper.of(Broken.class).map(row, row)).isInstanceOf(LinkageError.class);
        FakeRow fine = FakeRow.of("n", 2);
        assertThat(RecordMapper.of(Broken.class).map(fine, fine)).isEqualTo(new Broken(2));
    }

    @Test
    void aScalarTakesTheOnlyColumn() {
        FakeRow row = FakeRow.of("n", 1);
        assertThat(RecordMapper.of(long.class).map(row, row)).isEqualTo(1L);
        FakeRow none = FakeRow.of("n", null);
        assertThat(RecordMapper.of(Long.class).map(none, none)).isNull();
    }

    @Test
    void aMismatchTellsTypesAndNoValue() {
        FakeRow row = FakeRow.of("n", "secret");
        assertThatThrownBy(() -> RecordMapper.of(Broken.class).map(row, row))
                .isInstanceOf(Mismatch.class)
                .hasMessage("Column 'n' of type java.lang.String cannot become component 'n' of "
                        + Broken.class.getName() + " of type java.lang.Integer");
    }
}
