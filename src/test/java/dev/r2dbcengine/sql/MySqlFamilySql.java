package dev.r2dbcengine.sql;

import dev.r2dbcengine.sql.SqlContract.Colour;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The SQL that MariaDB and MySQL share. */
interface MySqlFamilySql extends SqlDatabase {

    @Override
    default String longText() {
        return "longtext";
    }

    @Override
    default List<TypeCase<?>> types() {
        return List.of(
                TypeCase.of(Boolean.class, "boolean", true),
                TypeCase.of(Short.class, "smallint", (short) 7),
                TypeCase.of(Integer.class, "int", 7),
                TypeCase.of(Long.class, "bigint", 1L << 60),
                TypeCase.of(Double.class, "double", 1.25),
                TypeCase.of(Float.class, "float", 1.25f),
                TypeCase.of(BigDecimal.class, "decimal(20,5)", ContractTypes.DECIMAL),
                TypeCase.of(String.class, "varchar(100) character set utf8mb4", ContractTypes.TEXT),
                TypeCase.of(String.class, "text character set utf8mb4", ContractTypes.TEXT),
                TypeCase.of(Colour.class, "varchar(10)", Colour.GREEN),
                TypeCase.of(Colour.class, "enum('RED', 'GREEN')", Colour.GREEN),
                TypeCase.of(LocalDate.class, "date", ContractTypes.DATE),
                TypeCase.of(LocalTime.class, "time(6)", ContractTypes.TIME),
                TypeCase.of(LocalDateTime.class, "datetime(6)", ContractTypes.DATE_TIME),
                TypeCase.of(Instant.class, "timestamp(6) null", ContractTypes.INSTANT),
                TypeCase.of(UUID.class, "char(36)", ContractTypes.ID),
                TypeCase.of(byte[].class, "varbinary(100)", ContractTypes.BYTES),
                TypeCase.of(byte[].class, "blob", ContractTypes.BYTES),
                TypeCase.of(String.class, "json", "{\"a\": \";\"}"));
    }

    @Override
    default String moment() {
        return "timestamp(6) null";
    }

    @Override
    default String epoch(String column) {
        return "unix_timestamp(" + column + ")";
    }

    @Override
    default List<Expected> particular() {
        return List.of(
                Expected.of(
                        "backslashes, strings, comments and variables",
                        "select concat('it\\'s :a ?', \"\\\":b\", @x:=:x, 3--1) # it's :c ?\n from person where id = :id",
                        Map.of("x", "y", "id", 1),
                        "it's :a ?\":by4"),
                Expected.of(
                                "a label is written with an escaped colon",
                                "select cast(@n + :m as char)",
                                Map.of("m", 4),
                                "7")
                        .after(
                                "drop procedure if exists p",
                                "create procedure p(out n int) begin set n = 0;"
                                        + " lp\\:loop set n = n + 1; if n > 2 then leave lp; end if; end loop; end",
                                "call p(@n)"),
                Expected.of(
                        "json is text",
                        "select concat(json_extract(:d, '$.a'), json_value('{\"b\": \"12:30\"}', '$.b'))",
                        Map.of("d", "{\"a\": 1}"),
                        "112:30"));
    }

    @Override
    default String generatedKey() {
        return "bigint auto_increment primary key";
    }

    @Override
    default String shortLockWait() {
        return "set innodb_lock_wait_timeout = 1";
    }

    @Override
    default String session() {
        return "select connection_id()";
    }

    @Override
    default String endStatement(String session) {
        return "kill query " + session;
    }

    @Override
    default String endSession(String session) {
        return "kill " + session;
    }

    @Override
    default List<String> refused() {
        return List.of(
                "signal sqlstate '45000' set message_text = 'on purpose'",
                "signal sqlstate '02000'",
                "signal sqlstate 'XX000'",
                "create table child2(p int, foreign key (p) references parent(nowhere)) engine = innodb",
                "select load_file_of_nowhere()");
    }
}
