package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.ErrorKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Batches on MariaDB, with each driver. */
abstract class MariaDbBatchContract extends BatchContract {
    MariaDbBatchContract(String driver) {
        super(new MariaDbSql(driver));
    }

    /* Without a strict mode, the server refuses the NULL in an insert of one row and stores 0 in one of several. */
    @ParameterizedTest
    @ValueSource(strings = {"''", "'STRICT_TRANS_TABLES'", "'STRICT_ALL_TABLES'"})
    void nullForAColumnThatIsNotNullIsRefusedInEachSqlMode(String mode) {
        for (String value : List.of(":code", "nullif(:code, -1)")) {
            StepVerifier.create(bed.inTransaction(sql -> sql.apply("set sql_mode = " + mode)
                            .update()
                            .then(sql.apply("insert into item(code) values (" + value + ")")
                                    .batch(
                                            List.of(1, -1),
                                            (bindings, code) -> bindings.bind(
                                                    "code",
                                                    code < 0 && value.equals(":code") ? null : code,
                                                    Integer.class)))))
                    .expectErrorSatisfies(
                            e -> assertThat(bed.dialect().kindOf(e)).isEqualTo(ErrorKind.NOT_NULL))
                    .verify(LONG);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROW_BY_ROW", "AUTOMATIC"})
    void ignoredDuplicatesAreNotCounted(BatchMode mode) {
        Mono<Long> batch = bed.sql("insert ignore into item(code) values (:code)")
                .batchMode(mode)
                .batch(List.of(1, 2, 2, 3, 1), (bindings, code) -> bindings.bind("code", code));
        assertThat(batch.block(LONG)).isEqualTo(3);
    }
}
