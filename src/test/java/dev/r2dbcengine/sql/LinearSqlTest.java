package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlSyntaxException;
import dev.r2dbcengine.testing.LinearWork;
import dev.r2dbcengine.testing.NastyText;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a text is made, to read its parameters costs so much a character. */
class LinearSqlTest {
    private static final int MOST = 400;

    static final class Parse implements Consumer<String> {
        private final Dialect dialect;

        Parse(String dialect) {
            this.dialect = Dialect.ofDriver(dialect);
        }

        @Override
        public void accept(String sql) {
            try {
                new ParsedSql(dialect, sql);
                dialect.forBatch(sql);
            } catch (SqlSyntaxException | ParameterException | UnsupportedOperationException e) {
                // Refused, after as few steps.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void parametersAreReadInLinearWork(NastyText text) {
        for (String dialect : new String[] {"h2", "postgresql", "mariadb", "mysql"}) {
            LinearWork.assertLinear(Parse.class, dialect, text, MOST);
        }
    }
}
