package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.testing.FakeRow;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordMapperTest {

    record Names(String firstName, Optional<Long> shoeSize, int n) {}

    record Raw(@SuppressWarnings("rawtypes") Optional any, Optional<?> list) {}

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
    void resultsMayHaveDifferentColumns() {
        FakeRow first = FakeRow.of("first_name", "Ada", "shoe_size", 38L, "n", 7);
        FakeRow swapped = FakeRow.of("n", 7, "shoe_size", 38L, "first_name", "Ada");
        FakeRow otherTypes = FakeRow.of("n", 7L, "shoe_size", 38, "first_name", "Ada");
        FakeRow fewer = FakeRow.of("n", 7L, "shoe_size", 38);
        RowMapper<Names> mapper = RecordMapper.of(Names.class);
        for (FakeRow row : List.of(first, first, swapped, otherTypes, first)) {
            assertThat(mapper.map(row, row)).isEqualTo(new Names("Ada", Optional.of(38L), 7));
        }
        assertThatThrownBy(() -> mapper.map(fewer, fewer)).isInstanceOf(RowMismatch.class);
    }

    @Test
    void optionalWithoutTypeTakesDriverValue() {
        FakeRow row = FakeRow.of("any", 1, "list", List.of("a"));
        assertThat(RecordMapper.of(Raw.class).map(row, row))
                .isEqualTo(new Raw(Optional.of(1), Optional.of(List.of("a"))));
    }

    private record Count(int n) {}

    @Test
    void inaccessibleRecordIsCreated() {
        FakeRow row = FakeRow.of("n", 1);
        assertThat(RecordMapper.of(Count.class).map(row, row)).isEqualTo(new Count(1));
    }

    @Test
    void twoColumnsForOneComponentAreNamed() {
        FakeRow row = FakeRow.of("m", 0, "n", 1, "other", 2, "N_", 3);
        assertThatThrownBy(() -> RecordMapper.of(Count.class).map(row, row))
                .isInstanceOf(RowMismatch.class)
                .hasMessage("Columns 2 and 4 both fit component 'n' of " + Count.class.getName()
                        + ": give one of them another name");
    }

    @Test
    void nullForPrimitiveComponentIsRejected() {
        FakeRow row = FakeRow.of("n", null);
        assertThatThrownBy(() -> RecordMapper.of(Count.class).map(row, row))
                .isInstanceOf(RowMismatch.class)
                .hasMessage("Column 'n' is NULL, and component 'n' of " + Count.class.getName()
                        + " is of the primitive type int, which has no null: declare it as java.lang.Integer or as an"
                        + " Optional, or use coalesce(…) in the statement");
    }

    @Test
    void exceptionOfRecordIsNotWrapped() {
        FakeRow row = FakeRow.of("n", 1);
        assertThatThrownBy(() -> RecordMapper.of(Broken.class).map(row, row)).isInstanceOf(LinkageError.class);
        FakeRow fine = FakeRow.of("n", 2);
        assertThat(RecordMapper.of(Broken.class).map(fine, fine)).isEqualTo(new Broken(2));
    }

    @Test
    void scalarReadsOnlyColumn() {
        FakeRow row = FakeRow.of("n", 1);
        assertThat(RecordMapper.of(long.class).map(row, row)).isEqualTo(1L);
        FakeRow none = FakeRow.of("n", null);
        assertThat(RecordMapper.of(Long.class).map(none, none)).isNull();
    }

    @Test
    void mismatchShowsTypesAndNoValue() {
        FakeRow row = FakeRow.of("n", "secret");
        assertThatThrownBy(() -> RecordMapper.of(Broken.class).map(row, row))
                .isInstanceOf(RowMismatch.class)
                .hasMessage("Column 'n' of type java.lang.String cannot become component 'n' of "
                        + Broken.class.getName() + " of type java.lang.Integer");
    }

    record InOptional(Optional<List<String>> n) {}

    record InList(List<Integer> n) {}

    record InMap(Map<String, ?> n) {}

    @SuppressWarnings("ArrayRecordComponent") // the subject of the test
    record InArray(List<String>[] n) {}

    record InOptionals(Optional<Optional<String>> n) {}

    record InWildcard(Optional<? extends List<String>> n) {}

    record InArgument<T>(Optional<List<T>> n) {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                InOptional.class,
                InList.class,
                InMap.class,
                InArray.class,
                InOptionals.class,
                InWildcard.class,
                InArgument.class
            })
    void typeArgumentThatNoValueShowsIsRefused(Class<?> type) {
        FakeRow row = FakeRow.of("n", List.of("a"));
        assertThatThrownBy(() -> RecordMapper.of(type).map(row, row))
                .isInstanceOf(RowMismatch.class)
                .hasMessageContaining("component 'n' of " + type.getName())
                .hasMessageContaining(
                        type.getRecordComponents()[0].getGenericType().getTypeName())
                .hasMessageContaining("use an array, or map the row with a function");
    }

    record Any(List<?> n) {}

    record Bounded(Optional<? extends Number> n) {}

    record Numbers(Optional<Long[]> n) {}

    @SuppressWarnings("ArrayRecordComponent") // the subject of the test
    record Variable<T extends Number>(T n, Optional<T> m, T[] k) {}

    @Test
    void typeArgumentThatSaysNothingOrThatIsCheckedIsRead() {
        assertThat(read(Any.class, List.of("a"))).isEqualTo(new Any(List.of("a")));
        assertThat(read(Bounded.class, 7)).isEqualTo(new Bounded(Optional.of(7)));
        assertThat(read(Numbers.class, new Integer[] {7}).n().orElseThrow()).containsExactly(7L);
        FakeRow row = FakeRow.of("n", 1, "m", 2L, "k", new Integer[] {3});
        Variable<?> variable =
                Objects.requireNonNull(RecordMapper.of(Variable.class).map(row, row));
        assertThat(variable.n()).isEqualTo(1);
        assertThat(variable.m()).isEqualTo(Optional.of(2L));
        assertThat(variable.k()).isEqualTo(new Integer[] {3});
    }

    @ParameterizedTest
    @ValueSource(classes = {Bounded.class, Any.class, Numbers.class})
    void valueOfAnotherTypeIsNoneOfAComponent(Class<?> type) {
        assertThatThrownBy(() -> read(type, "text")).isInstanceOf(RowMismatch.class);
    }

    private static <T> T read(Class<T> type, Object value) {
        FakeRow row = FakeRow.of("n", value);
        return Objects.requireNonNull(RecordMapper.of(type).map(row, row));
    }
}
