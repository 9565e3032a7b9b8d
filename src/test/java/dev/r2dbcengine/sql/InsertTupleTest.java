package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InsertTupleTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (:a)",
                "INSERT INTO t VALUES (:a, :b);",
                "/* c */ insert into app.t (a, \"values\", c) values ( :a , 'x)', :a ) -- tail (\n ; /* c */",
                "insert into \"values (\" values (:a, \"b\")",
                "insert into t(a) overriding system value values (:a)",
                "insert into t as x (a[1]) values (:a)",
                "insert into t values (:a, default, null, 1.5, -1, 'a' || :b, E'it\\'s)', $x$ ) $x$, true)",
                "insert into t values (/* ( */ :a -- )\n)",
                "insert into t values (lower(trim(:a)), coalesce(:b, now(), current_timestamp), nextval('s'))",
                "insert into t values (:a::jsonb, :b::numeric(9, 2), cast(:c as vector(3)), (:d + 1) * 2)",
                "insert into t values (array[:a, :b], (:c)::text[], :d at time zone 'UTC')",
                "insert into t values (cast(:a as timestamp with time zone), extract(year from :b), interval '1 day')",
                "insert into t values (case when :a in (1, 2) then 'x' else 'y' end)",
                "insert into t values (:a) on conflict do nothing",
                "insert into t values (:a) on conflict (a, lower(b)) where c > 0 do nothing;",
                "insert into t values (:a) ON CONFLICT ON CONSTRAINT k DO NOTHING",
            })
    void insertCanHaveSeveralRows(String sql) {
        InsertTuple tuple = tuple(Dialect.POSTGRESQL, sql);
        assertThat(tuple.repeatable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (next_number(:a))",
                "insert into t values (app.lower(:a))",
                "insert into t values (\"lower\"(:a))",
                "insert into t values (lower /* c */ (:a), currval('s'))",
                "insert into t values (:a, (select max(a) from t))",
                "insert into t values (:a, (table x))",
                "insert into t values (:a, (values (1)))",
                "insert into t values ((:a).next)",
                "insert into t values (:a, @ 1)",
                "insert into t values (:a) returning id",
                "insert into t values (:a) on conflict (a) do update set b = 1",
                "insert into t values (:a) on conflict (a) do nothing returning id",
                "insert into t values (:a) on duplicate key update b = b + 1",
                "insert into t values (:a) as fresh on duplicate key update b = 1",
            })
    void unknownFunctionsLeaveDecisionToCaller(String sql) {
        assertThat(tuple(Dialect.POSTGRESQL, sql).repeatable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1)",
                "insert into t values (1) on conflict (a) where b = :b do nothing",
                "insert into t values (:a) on conflict (a) do update set b = :b",
                "insert into t values (:a), (:b)",
                "insert into t values (:a), (1)",
                "insert into t default values",
                "insert into t set a = :a",
                "insert into t select * from x where a = :a",
                "insert into t (select :a) ",
                "insert into t select * from (values (:a)) x",
                "insert into t (a, b) values row(:a, :b)",
                "with x as (select 1) insert into t values (:a)",
                "insert delayed into t values (:a)",
                "insert into t values (:a); delete from t",
                "insert into t values (:a;)",
                "replace into t values (:a)",
                "merge into t key(a) values (:a)",
                "update t set a = :a",
                "delete from t where a = :a",
                "select 'insert into t values (', :a",
                "values (:a)",
                "insert into :t values (:a)",
                "insert into t values (:a",
            })
    void noOtherStatementCanHaveSeveralRows(String sql) {
        assertThat(new ParsedSql(Dialect.POSTGRESQL, sql).multiRow()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert /*! high_priority */ into t values (:a)",
                "insert into t values (:a) /*M! on duplicate key update a = 1 */",
            })
    void commentThatRunsIsNotRepeated(String sql) {
        assertThat(new ParsedSql(Dialect.MARIADB, sql).multiRow()).isNull();
    }

    @Test
    void variableOfTheSessionIsNotRepeated() {
        assertThat(tuple(Dialect.MARIADB, "insert into t values (:a, @n := @n + 1)")
                        .repeatable())
                .isFalse();
        assertThat(tuple(Dialect.MARIADB, "insert ignore into `t values (` values (:a, \"x)\", 'it\\')s')")
                        .repeatable())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            insert into t values (:a, 1, 'x', -1.5)     | false
            insert into t values (:a, nullif(:b, 1))    | true
            insert into t values (:a, null)             | true
            insert into t values (:a, :b + 1)           | true
            insert into t values (:a, `b`)              | true
            """)
    void computedValueMayBeNull(String sql, boolean computed) {
        assertThat(tuple(Dialect.MARIADB, sql.replace("-1.5", "1.5")).computed())
                .isEqualTo(computed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            insert into t(a) values (:a, 1, :b, :a) ; -- x | insert into t(a) values ($1, 1, $2, $1), ($3, 1, $4, $3) ; -- x
            insert into t values(:a$, f(:b)$x) on conflict do nothing | insert into t values($1 $, f($2)$x), ($3 $, f($4)$x) on conflict do nothing
            """)
    void tupleIsRepeatedWithMarkersOfItsOwn(String sql, String text) {
        assertThat(Objects.requireNonNull(new ParsedSql(Dialect.POSTGRESQL, sql).multiRow())
                        .ofRows(2)
                        .text())
                .isEqualTo(text);
    }

    @Test
    void markersWithoutNumbersAreRepeated() {
        assertThat(Objects.requireNonNull(
                                new ParsedSql(Dialect.MARIADB, "insert into t values (:a, :b, :a)").multiRow())
                        .ofRows(4)
                        .text())
                .isEqualTo("insert into t values (?, ?, ?), (?, ?, ?), (?, ?, ?), (?, ?, ?)");
    }

    private static InsertTuple tuple(Dialect dialect, String sql) {
        return Objects.requireNonNull(new ParsedSql(dialect, sql).multiRow()).tuple();
    }
}
