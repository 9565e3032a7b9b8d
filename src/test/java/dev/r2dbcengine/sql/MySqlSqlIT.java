package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.testing.OnMySql;
import org.junit.jupiter.api.Test;

@OnMySql
class MySqlSqlIT extends SqlContract {
    MySqlSqlIT() {
        super(new MySqlSql());
    }

    @Test
    @Override
    void generatedKeysOfOneRowAndOfThree() {
        bed.run(
                "drop table if exists keyed",
                "create table keyed(id " + database.generatedKey() + ", name varchar(20))");
        for (long key = 1; key < 3; key++) {
            assertThat(bed.sql("insert into keyed(name) values (:a) -- with a tail\n ;")
                            .bind("a", "a")
                            .returning("id")
                            .map(Long.class)
                            .one()
                            .block(LONG))
                    .isEqualTo(key);
        }
        refusesColumns("id", "name");
    }

    @Test
    @Override
    void quotedColumnIsReturnedByItsQuotedName() {
        bed.run(
                "drop table if exists keyed",
                "create table keyed(`Order Id` " + database.generatedKey() + ", name varchar(9))");
        assertThat(bed.sql("insert into keyed(name) values ('x')")
                        .returning("\"Order Id\"")
                        .map(Long.class)
                        .one()
                        .block(LONG))
                .isEqualTo(1);
        refusesColumns("\"Order Id\"", "name");
    }

    private void refusesColumns(String... columns) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> bed.sql("insert into keyed(name) values ('a')")
                        .returning(columns)
                        .map((row, metadata) -> 1)
                        .one()
                        .block(LONG))
                .withMessageContaining("MySQL returns only the key that an insert has generated");
    }
}
