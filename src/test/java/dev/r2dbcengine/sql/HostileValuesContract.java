package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.HostilePieces;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;

/** Values that look like SQL are only values on every database, and no message of a failed statement contains them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HostileValuesContract {
    private static final String SECRET = Secrets.MARK + "value";

    private static final List<String> VALUES = List.of(
            "'; drop table hostile; --",
            "\"; drop table hostile; --",
            "\\'; drop table hostile; --",
            "1 or 1=1",
            "') or ('1'='1",
            "'||(select 1)||'",
            "$1",
            "$$; drop table hostile; $$",
            "?",
            ":v",
            "::text",
            "${v}",
            "%s %n {} %00",
            "/* */ -- #",
            "\\",
            "\\\\",
            "\\0",
            "'",
            "''",
            "",
            " ",
            "\r\n\t",
            "\u001b[31m",
            "\ufeffx",
            "\u202ex",
            "\ud83d\ude00");

    private final SqlTestBed bed;

    HostileValuesContract(SqlDatabase database) {
        this.bed = new SqlTestBed(database);
    }

    @AfterAll
    void close() {
        bed.close();
    }

    @BeforeEach
    void table() {
        bed.run("drop table if exists hostile", "create table hostile(id int primary key, v varchar(9000) not null)");
    }

    private static List<String> values() {
        Random random = new Random(1);
        // Neither is text to every database: PostgreSQL refuses the one, and the other is half of a character.
        List<String> pieces = HostilePieces.SQL.stream()
                .filter(piece -> piece.length() <= 300
                        && !List.of("\0", "\ud800", "\udc00").contains(piece))
                .toList();
        List<String> values = new ArrayList<>(VALUES);
        for (int i = Proof.rounds(200, 20_000); i > 0; i--) {
            StringBuilder value = new StringBuilder();
            for (int piece = random.nextInt(20); piece >= 0; piece--) {
                value.append(pieces.get(random.nextInt(pieces.size())));
            }
            values.add(value.toString());
        }
        return values;
    }

    @Test
    void valueThatLooksLikeSqlIsReturnedUnchanged() {
        List<String> values = values();
        Long written = bed.sql("insert into hostile(id, v) values (:id, :v)")
                .batch(
                        Stream.iterate(0, i -> i + 1).limit(values.size()).toList(),
                        (row, i) -> row.bind("id", i).bind("v", values.get(i)))
                .block(LONG);
        assertThat(written).isEqualTo(values.size());
        assertThat(bed.sql("select v from hostile order by id")
                        .map(String.class)
                        .all()
                        .collectList()
                        .block(LONG))
                .isEqualTo(values);
    }

    @Test
    void eachValueIsFoundByItselfAndTableIsUnharmed() {
        for (int i = 0; i < VALUES.size(); i++) {
            String value = VALUES.get(i);
            assertThat(bed.sql("insert into hostile(id, v) values (:id, :v)")
                            .bind("id", i)
                            .bind("v", value)
                            .update()
                            .block(LONG))
                    .isEqualTo(1);
            assertThat(bed.sql("select id from hostile where v = :v and v in (:all) and id = :id")
                            .bind("v", value)
                            .bind("all", VALUES)
                            .bind("id", i)
                            .map(Integer.class)
                            .one()
                            .block(LONG))
                    .isEqualTo(i);
        }
    }

    record Numbered(int v) {}

    /* In addition, all exceptions and log lines of the library in this run are searched. */
    @Test
    void valueOfFailedStatementIsNotShown() {
        SqlStatement insert =
                bed.sql("insert into hostile(id, v) values (:id, :v)").bind("id", 1);
        insert.bind("v", SECRET).update().block(LONG);
        List<Mono<?>> failing = List.of(
                insert.bind("v", SECRET).update(),
                bed.sql("insert into hostile(id, v) values (:id, :v)")
                        .batch(List.of(2, 2), (row, id) -> row.bind("id", id).bind("v", SECRET)),
                bed.sql("insert into hostile(id) values (:v)").bind("v", SECRET).update(),
                bed.sql("select nothing from nowhere where v = :v")
                        .bind("v", SECRET)
                        .map(String.class)
                        .one(),
                bed.sql("select v from hostile where v = :v")
                        .bind("v", SECRET)
                        .map(Numbered.class)
                        .one(),
                bed.sql("select v from hostile where v = :v")
                        .bind("v", SECRET)
                        .map(Integer.class)
                        .one(),
                bed.sql("select v from hostile where v = :v")
                        .bind("other", SECRET)
                        .map(String.class)
                        .one(),
                bed.sql("select v from hostile where v = :v")
                        .bind("v", new Object[] {SECRET})
                        .map(String.class)
                        .one(),
                bed.sql("select v from hostile where v in (:v)")
                        .bind("v", Arrays.asList(SECRET, null))
                        .map(String.class)
                        .one(),
                bed.sql("insert into hostile select id, v from hostile where v = :v")
                        .bind("v", SECRET)
                        .timeout(Duration.ofNanos(1))
                        .update());
        for (Mono<?> each : failing) {
            Throwable e =
                    each.then(Mono.<Throwable>empty()).onErrorResume(Mono::just).block(LONG);
            assertThat(e).isNotNull();
            assertKept(Objects.requireNonNull(e));
        }
        assertThat(Secrets.isIn(insert.bind("v", SECRET).toString())).isFalse();
    }

    /* The message of the driver is not under test. */
    private static void assertKept(Throwable e) {
        if (e.getClass().getName().startsWith("dev.r2dbcengine.")) {
            assertThat(Secrets.isIn(e.toString())).as("%s", e).isFalse();
        }
        Stream.concat(Stream.ofNullable(e.getCause()), Stream.of(e.getSuppressed()))
                .forEach(HostileValuesContract::assertKept);
    }
}
