package dev.r2dbcengine.sql;

import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of one row of a batch. Valid only during the call of the binder, on its thread. */
public final class Bindings {

    private final ParsedSql parsed;
    private final @Nullable Object[] template;
    private @Nullable Object[] values;

    Bindings(ParsedSql parsed, @Nullable Object[] template) {
        this.parsed = parsed;
        this.template = template;
        this.values = template.clone();
    }

    /**
     * Binds a value.
     *
     * @param name the name of the parameter, without its colon
     * @param value the value; not null, not a list
     * @return this
     * @throws ParameterException when there is no such parameter, or it has a value already
     */
    public Bindings bind(String name, Object value) {
        BoundValues.put(values, parsed, name, BoundValues.value(name, value, null, parsed.sql()));
        return this;
    }

    /**
     * Binds a value that may be null.
     *
     * @param name the name of the parameter, without its colon
     * @param value the value or null
     * @param type the type of the value, for the database
     * @return this
     * @throws ParameterException when there is no such parameter, or it has a value already
     */
    public Bindings bind(String name, @Nullable Object value, Class<?> type) {
        BoundValues.put(values, parsed, name, BoundValues.value(name, value, type, parsed.sql()));
        return this;
    }

    /**
     * Binds the parameters that have no value yet from the components of a record or the entries of a map.
     *
     * @param source a record, by the names of its components, or a map, by its keys
     * @return this
     */
    public Bindings bindAll(Object source) {
        BoundValues.putAll(values, parsed, source);
        return this;
    }

    /* Binds this row to the statement and resets it. */
    void bindTo(DriverSql sql, Statement statement) {
        check();
        sql.bind(statement, values);
        System.arraycopy(template, 0, values, 0, values.length);
    }

    /* Returns the values of this row and resets it. */
    @Nullable Object[] take() {
        check();
        @Nullable Object[] row = values;
        values = template.clone();
        return row;
    }

    /* The driver gets one text for all rows, so a list cannot expand. */
    private void check() {
        BoundValues.complete(values, parsed);
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof ArrayList<?>) {
                throw list(parsed.names().get(i));
            }
        }
    }

    private ParameterException list(String name) {
        return new ParameterException(
                "Parameter '" + name + "' is a list, which a batch cannot bind, as it has one text for all its rows:"
                        + " run the statement for each row instead",
                List.of(name),
                parsed.sql());
    }
}
