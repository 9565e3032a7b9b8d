package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PostgreSqlBatchIT extends BatchContract {
    PostgreSqlBatchIT() {
        super(new PostgreSqlSql());
    }

    /* The type of the column, its value, the type of the parameter, and the values of three rows. */
    static List<Arguments> columns() {
        return List.of(
                column("int", ":v", Integer.class, 1, null, 3),
                column("int", ":v::text::int", String.class, "1", null, "3"),
                column("int", "cast(:v as int)", String.class, "1", "2", "3"),
                column("int", ":v + 1", Integer.class, 1, null, 3),
                column("bigint", ":v", Integer.class, null, 2, null),
                column("smallint", ":v", Integer.class, 1, 2, 3),
                column("numeric(9, 2)", ":v", Integer.class, 1, 2, null),
                column("text", "lower(:v)", String.class, "A", null, "C"),
                column("varchar(9)", "coalesce(:v, 'none')", String.class, "a", null, "c"),
                column("jsonb", ":v::jsonb", String.class, "{\"a\": 1}", null, "[]"),
                column("json", "cast(:v as json)", String.class, "{}", null, "[1]"),
                column("uuid", ":v", UUID.class, new UUID(1, 2), null, new UUID(3, 4)),
                column("timestamptz", ":v", Instant.class, Instant.EPOCH, null, Instant.EPOCH.plusSeconds(1)),
                column("timestamptz", "case when :v then now() end", Boolean.class, false, null, false),
                column("bytea", ":v", byte[].class, new byte[] {1}, null, new byte[0]),
                column("int[]", ":v", Integer[].class, new Integer[] {1, 2}, null, new Integer[0]),
                column("interval", ":v::interval", String.class, "PT1S", null, "PT2S"),
                column("mood", ":v::mood", String.class, "calm", null, "glad"),
                column("boolean", ":v", Boolean.class, null, null, null),
                column("int default 7", "default, :v", Integer.class, 1, null, 3));
    }

    private static Arguments column(String type, String value, Class<?> parameter, @Nullable Object... values) {
        return Arguments.of(type, value, parameter, Arrays.asList(values));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("columns")
    void columnTakesTheSameValuesInEachMode(
            String type, String value, Class<?> parameter, List<@Nullable Object> values) {
        bed.run(
                "drop table if exists taken",
                "drop type if exists mood",
                "create type mood as enum ('calm', 'glad')",
                "create table taken(id serial, v " + type + ", other int)");
        String columns = value.startsWith("default") ? "(v, other)" : "(v)";
        SqlStatement insert = bed.sql("insert into taken" + columns + " values (" + value + ")");
        BiConsumer<Bindings, Integer> binder = (bindings, i) -> bindings.bind("v", values.get(i), parameter);
        List<Integer> rows = List.of(0, 1, 2, 0, 1, 2, 0, 1, 2);
        insert.batchMode(BatchMode.ROW_BY_ROW).batch(rows, binder).block(LONG);
        assertThat(insert.batch(rows, binder).block(LONG)).isEqualTo(9);
        List<String> stored = texts(
                "select coalesce(v::text, 'null') || ' ' || coalesce(other::text, 'null') from taken" + " order by id");
        assertThat(stored.subList(9, 18)).isEqualTo(stored.subList(0, 9));
        bed.run("drop table taken", "drop type mood");
    }

    @Test
    void multiRowInsertsAreReusedWithNullsOfEachType() {
        bed.reconnect();
        for (int i = 0; i < 20; i++) {
            int first = i * 1000;
            multiRow("insert into item(code, name, size) values (:code, :name, :size)")
                    .batch(Collections.nCopies(1000, first), new BiConsumer<Bindings, Integer>() {
                        private int next = first;

                        @Override
                        public void accept(Bindings bindings, Integer ignored) {
                            Row.of(next++).bind(bindings);
                        }
                    })
                    .block(LONG);
        }
        assertThat(bed.sql("select count(*) from pg_prepared_statements where statement like 'insert into item%'")
                        .map(Integer.class)
                        .one()
                        .block(LONG))
                .isEqualTo(1);
    }

    @Test
    void conflictsThatDoNothingAreCountedInEachMode() {
        for (BatchMode mode : BatchMode.values()) {
            bed.run("delete from item");
            assertThat(bed.sql("insert into item(code) values (:code) on conflict (code) do nothing")
                            .batchMode(mode)
                            .batch(List.of(1, 2, 2, 3, 1), (bindings, code) -> bindings.bind("code", code))
                            .block(LONG))
                    .isEqualTo(3);
        }
    }

    /* A statement of PostgreSQL cannot update a row twice. */
    @Test
    void conflictsThatUpdateAreSentRowByRow() {
        assertThat(bed.sql("insert into item(code, size) values (:code, 1) on conflict (code) do update set size ="
                                + " item.size + 1")
                        .batch(List.of(1, 2, 1), (bindings, code) -> bindings.bind("code", code))
                        .block(LONG))
                .isEqualTo(3);
        assertThat(texts("select size::text from item order by code")).containsExactly("2", "1");
    }

    private List<String> texts(String sql) {
        return Objects.requireNonNull(bed.sql(sql)
                .map(String.class)
                .all()
                .collect(Collectors.toList())
                .block(LONG));
    }
}
