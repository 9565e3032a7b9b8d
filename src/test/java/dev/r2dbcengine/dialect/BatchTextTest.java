package dev.r2dbcengine.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchTextTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "H2 | select ';', $$;$$, \";\" /* ; */ | select ';', $$;$$, \";\" /* ; */",
                "PostgreSQL | select E'a\\'b', :a, a::b | select E'a''b', :a, a::b",
                "PostgreSQL | select '$1', \"$1\" | select '$1', \"$1\"",
                "PostgreSQL | select $1 | do $b0$ begin execute $s0$select $1$s0$; end $b0$",
                "PostgreSQL | select $1, E'\\'' | do $b0$ begin execute $s0$select $1, E''''$s0$; end $b0$",
                "PostgreSQL | select $1, $b0$$b0$, $s0$$s0$ | do $b1$ begin execute $s1$select $1, $b0$$b0$, $s0$$s0$$s1$; end $b1$",
                "MariaDB | lp:loop leave lp; end loop | lp: loop leave lp; end loop",
                "MariaDB | lp: loop | lp: loop",
                "MySQL | lp:loop | lp:loop",
                "MySQL | select 1--1 | select 1- -1",
                "MariaDB | select ? | select ?"
            })
    void hidesFromTheDriverWhatItWouldBreak(String dialect, String statement, String expected) {
        assertThat(Dialect.ofDriver(dialect).forBatch(statement)).isEqualTo(expected);
    }

    @Test
    void unterminatedStringIsReported() {
        assertThatThrownBy(() -> Dialect.H2.forBatch("select 'a")).isInstanceOf(SqlSyntaxException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "insert into t, YES",
        "'', YES",
        "vacuum, NO",
        "vacuums, YES",
        "CREATE INDEX CONCURRENTLY i, NO",
        "create index concurrently_i on t, YES",
        "alter table a detach partition b concurrently, NO",
        "alter table a detach partition b, YES",
        "alter database set tablespace s, NO",
        "alter database set a, YES",
        "alter subscription s refresh publication, NO",
        "set a, EITHER",
        "set local a, YES",
        "settings, YES",
        "alter type add value, YES"
    })
    void firstWordsDecideWhetherStatementRunsInTransaction(String words, InTransaction expected) {
        assertThat(Dialect.POSTGRESQL.transactional(words, 17)).isEqualTo(expected);
        assertThat(Dialect.H2.transactional(words, 17)).isEqualTo(InTransaction.YES);
    }

    @Test
    void rulesCanBeForOldServersAndTheFirstThatFitsCounts() {
        Dialect own = Dialect.builder("own")
                .transactionalBefore(3, InTransaction.NO, "a b")
                .transactional(InTransaction.EITHER, "a")
                .build()
                .toBuilder()
                .build();
        assertThat(own.transactional("a b c", 2)).isEqualTo(InTransaction.NO);
        assertThat(own.transactional("a b c", 3)).isEqualTo(InTransaction.EITHER);
    }
}
