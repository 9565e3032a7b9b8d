package dev.r2dbcengine.sql;

import dev.r2dbcengine.sql.SqlContract.Colour;
import dev.r2dbcengine.testing.Server;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;

final class PostgreSqlSql implements SqlDatabase {

    @Override
    public Server server() {
        return Server.POSTGRESQL;
    }

    @Override
    public String driver() {
        return "postgresql";
    }

    @Override
    public List<TypeCase<?>> types() {
        return List.of(
                TypeCase.of(Boolean.class, "boolean", true),
                TypeCase.of(Short.class, "smallint", (short) 7),
                TypeCase.of(Integer.class, "int", 7),
                TypeCase.of(Long.class, "bigint", 1L << 60),
                TypeCase.of(Double.class, "double precision", 1.25),
                TypeCase.of(Float.class, "real", 1.25f),
                TypeCase.of(BigDecimal.class, "numeric(20,5)", ContractTypes.DECIMAL),
                TypeCase.of(String.class, "text", ContractTypes.TEXT),
                TypeCase.of(Colour.class, "varchar(10)", Colour.GREEN),
                TypeCase.of(LocalDate.class, "date", ContractTypes.DATE),
                TypeCase.of(LocalTime.class, "time", ContractTypes.TIME),
                TypeCase.of(LocalDateTime.class, "timestamp", ContractTypes.DATE_TIME),
                TypeCase.of(OffsetDateTime.class, "timestamptz", ContractTypes.OFFSET),
                TypeCase.of(ZonedDateTime.class, "timestamptz", ContractTypes.OFFSET.toZonedDateTime()),
                TypeCase.of(Instant.class, "timestamptz", ContractTypes.INSTANT),
                TypeCase.of(UUID.class, "uuid", ContractTypes.ID),
                TypeCase.of(byte[].class, "bytea", ContractTypes.BYTES),
                TypeCase.of(Integer[].class, "int[]", new Integer[] {1, 2, 3}),
                TypeCase.of(int[].class, "int[]", new int[] {1, 2, 3}),
                TypeCase.of(String[].class, "text[]", new String[] {"a", "b"}),
                TypeCase.of(Colour[].class, "text[]", Colour.values()));
    }

    @Override
    public String json(String parameter) {
        return "cast(" + parameter + " as json)";
    }

    @Override
    public List<Expected> particular() {
        return List.of(
                Expected.of(
                        "a duration is cast from its text",
                        "select extract(epoch from :d::interval)::int",
                        Map.of("d", "PT1H30M"),
                        5400),
                Expected.of(
                                "operators of json",
                                "select j from doc where b ? 'a' and b ?| array[:key, 'x'] and b ?& array['a']"
                                        + " and b @> :part::jsonb and :d::jsonb = b",
                                Map.of("key", "a", "part", "{}", "d", "{\"a\": \";\"}"),
                                "{\"a\": \";\"}")
                        .after(
                                "drop table if exists doc",
                                "create table doc(j json, b jsonb)",
                                "insert into doc values ('{\"a\": \";\"}', '{\"a\": \";\"}')"),
                Expected.of("jsonb is text", "select :d::jsonb", Map.of("d", "{\"a\":\";\"}"), "{\"a\": \";\"}"),
                Expected.of(
                        "a cast to a date", "select (:day::date + 1)::text", Map.of("day", "2024-02-28"), "2024-02-29"),
                Expected.of(
                        "slices, dollar quotes and escape strings",
                        "select (array[1,2,3])[1:2]::text || $x$ :no '$x$ || E'it\\'s' || :a::text || (array[5,6])[:i]",
                        Map.of("a", 7, "i", 2),
                        "{1,2} :no 'it's76"),
                Expected.of("a named argument", "select twice(n := :n)", Map.of("n", 21), 42)
                        .after(
                                "create or replace function twice(n int) returns int language sql as $$ select 2 * n; $$"),
                Expected.of(
                        "an array is one parameter",
                        "select count(*) from person where id = any(:ids)",
                        Map.of("ids", new Integer[] {1, 2, 99}),
                        2L),
                Expected.of(
                                "an enum of the database",
                                "select h::text from wall where h = :h::hue",
                                Map.of("h", Colour.RED),
                                "RED")
                        .after(
                                "drop type if exists hue cascade",
                                "create type hue as enum ('RED', 'GREEN')",
                                "drop table if exists wall",
                                "create table wall(h hue)",
                                "insert into wall values ('RED')"));
    }

    @Override
    public String numbers(int last) {
        return "select n from generate_series(1, " + last + ") as n";
    }

    @Override
    public String slow() {
        return "select pg_sleep(60)";
    }

    @Override
    public String generatedKey() {
        return "bigint generated by default as identity primary key";
    }

    @Override
    public String shortLockWait() {
        return "set lock_timeout = 100";
    }

    @Override
    public String serializable() {
        return "set session characteristics as transaction isolation level serializable";
    }

    @Override
    public String session() {
        return "select pg_backend_pid()";
    }

    @Override
    public String endStatement(String session) {
        return "select pg_cancel_backend(" + session + ")";
    }

    @Override
    public String endSession(String session) {
        return "select pg_terminate_backend(" + session + ")";
    }

    @Override
    public List<String> refused() {
        return List.of(
                raise("U0001"),
                raise("02000"),
                raise("53100"),
                raise("XX000"),
                "drop database nowhere",
                "load 'nowhere'");
    }

    private static String raise(String state) {
        return "do 'begin raise exception ''on purpose'' using errcode = ''" + state + "''; end'";
    }
}
