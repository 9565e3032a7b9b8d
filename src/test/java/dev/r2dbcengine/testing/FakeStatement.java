package dev.r2dbcengine.testing;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A statement of the {@link FakeDriver}, which accepts any binding and records it. */
final class FakeStatement implements Statement {
    private final FakeDriver driver;
    private final FakeConnection connection;
    private final String sql;
    private final List<Map<Object, Object>> added = new ArrayList<>();
    private Map<Object, Object> current = new LinkedHashMap<>();
    private int fetchSize;
    private List<String> generated = List.of();

    FakeStatement(FakeDriver driver, FakeConnection connection, String sql) {
        this.driver = driver;
        this.connection = connection;
        this.sql = sql;
    }

    @Override
    public Statement add() {
        if (current.isEmpty()) {
            violatedByAdd();
        }
        added.add(current);
        current = new LinkedHashMap<>();
        return this;
    }

    @Override
    public Statement bind(int index, Object value) {
        return put(index, value);
    }

    @Override
    public Statement bind(String name, Object value) {
        return put(name, value);
    }

    @Override
    public Statement bindNull(int index, Class<?> type) {
        return put(index, new ExecutedStatement.Null(type));
    }

    @Override
    public Statement bindNull(String name, Class<?> type) {
        return put(name, new ExecutedStatement.Null(type));
    }

    private Statement put(Object marker, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("A null is bound by bindNull, with its type: " + marker);
        }
        current.put(marker, value);
        return this;
    }

    @Override
    public Statement returnGeneratedValues(String... columns) {
        generated = columns.length == 0 ? List.of("*") : List.of(columns);
        return this;
    }

    @Override
    public Statement fetchSize(int rows) {
        fetchSize = rows;
        return this;
    }

    @Override
    public Publisher<? extends Result> execute() {
        driver.throwIfConfigured(Call.EXECUTE, sql);
        List<Map<Object, Object>> bindings = bindings();
        List<ExecutedStatement> executed =
                List.of(new ExecutedStatement(connection.number(), sql, bindings, fetchSize, generated));
        List<String> results = Collections.nCopies(Math.max(1, bindings.size()), sql);
        return subscriber ->
                new FakeExecution(driver, connection, subscriber, Call.EXECUTE, sql, executed, results).start();
    }

    private List<Map<Object, Object>> bindings() {
        List<Map<Object, Object>> sets = new ArrayList<>(added);
        if (!current.isEmpty()) {
            sets.add(current);
        } else if (!added.isEmpty()) {
            violatedByAdd();
        }
        return sets.stream().map(Collections::unmodifiableMap).toList();
    }

    private void violatedByAdd() {
        connection.violated("add() without bindings in " + sql);
    }
}
