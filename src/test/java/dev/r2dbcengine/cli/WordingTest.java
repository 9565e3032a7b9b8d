package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordingTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "or raise lockTimeout | or raise --lock-timeout",
                "or raise connectTimeout. | or raise --wait.",
                "correct it, call repair(), and run | correct it, call repair, and run",
                "set lock(TRANSACTION), or | set --lock transaction, or",
                "set mixed(true) | set --mixed true",
                "name one by defaultSchema(…), or | name one by --default-schema …, or",
                "name its charset as \"encoding\" | name its charset as \"encoding\"",
                "the table and the schemas | the table and the schemas",
                "set placeholderReplacement=false in x.conf | set placeholderReplacement=false in x.conf",
                "db/outOfOrder/V1__lockTimeout.sql | db/outOfOrder/V1__lockTimeout.sql",
                "Set placeholders(Map.of(\"owner\", …)). Where | Set --placeholder owner=…. Where",
                "count(1) failed | count(1) failed",
            })
    void methodsAreRewrittenAsFlagsAndCommands(String message, String expected) {
        assertThat(Wording.of(message)).isEqualTo(expected);
    }
}
