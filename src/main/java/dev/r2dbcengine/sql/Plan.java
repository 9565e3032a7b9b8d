package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What is sent at one execution: the text and its values. */
class Plan {

    private final DriverSql sql;
    private final @Nullable Object[] values;
    private final Options options;
    private final SqlExecution execution;

    Plan(ParsedSql parsed, @Nullable Object[] values, Options options, SqlExecution execution) {
        boolean returning = options.returning() != null;
        if (returning) {
            checkReturning(parsed, execution.dialect());
        }
        this.sql = parsed.driverSql(values, returning);
        this.values = values;
        this.options = options;
        this.execution = execution;
    }

    /* Where a driver keeps silent, or sends what cannot work. */
    private static void checkReturning(ParsedSql parsed, Dialect dialect) {
        boolean can = switch (parsed.firstWord()) {
            case "UPDATE" -> dialect.has(Feature.UPDATE_RETURNING);
            case "DELETE" -> dialect.has(Feature.DELETE_RETURNING);
            default -> true;
        };
        if (!can) {
            throw new UnsupportedOperationException(dialect + " does not return columns of "
                    + parsed.firstWord().toLowerCase(Locale.ROOT) + ": select them before [" + parsed.sql() + "]");
        }
    }

    final Options options() {
        return options;
    }

    final SqlExecution execution() {
        return execution;
    }

    /* Binds the values, or others of the same shape. */
    void bind(DriverSql text, Statement statement) {
        text.bind(statement, execution.dialect(), values);
    }

    final Publisher<? extends Result> execute(Connection connection) {
        Statement statement = connection.createStatement(text());
        bind(sql, statement);
        if (options.fetchSize() > 0) {
            statement.fetchSize(options.fetchSize());
        }
        List<String> returning = options.returning();
        if (returning != null) {
            statement.returnGeneratedValues(returning.toArray(String[]::new));
        }
        return statement.execute();
    }

    private String text() {
        return options.timeout().isZero()
                ? sql.text()
                : execution.dialect().timeLimit(options.timeout()).prefix() + sql.text();
    }
}
