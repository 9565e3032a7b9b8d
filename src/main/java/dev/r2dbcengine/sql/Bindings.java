package dev.r2dbcengine.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of one row of a batch. Valid during the call that gets it, on its thread. */
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
     * @param name of the parameter, without its colon
     * @param value the value; not null, not a list
     * @return this
     * @throws ParameterException when there is no such parameter, or it has a value already
     */
    public Bindings bind(String name, Object value) {
        Values.put(values, parsed, name, Values.value(name, value, null, parsed.sql()));
        return this;
    }

    /**
     * Binds a value that may be null.
     *
     * @param name of the parameter, without its colon
     * @param value the value or null
     * @param type the type of the value, for the database
     * @return this
     * @throws ParameterException when there is no such parameter, or it has a value already
     */
    public Bindings bind(String name, @Nullable Object value, Class<?> type) {
        Values.put(values, parsed, name, Values.value(name, value, type, parsed.sql()));
        return this;
    }

    /**
     * Binds what a record or a map has for the parameters that are still without a value.
     *
     * @param source a record, by the names of its components, or a map, by its keys
     * @return this
     */
    public Bindings bindAll(Object source) {
        Values.putAll(values, parsed, source);
        return this;
    }

    /* The values of this row, which are then forgotten. The driver gets one text for all rows, so none is a list. */
    @Nullable Object[] take() {
        @Nullable Object[] taken = values;
        values = template.clone();
        Values.complete(taken, parsed);
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] instanceof List<?>) {
                throw list(parsed.names().get(i));
            }
        }
        return taken;
    }

    private ParameterException list(String name) {
        return new ParameterException(
                "Parameter '" + name + "' is a list, which a batch cannot bind", List.of(name), parsed.sql());
    }
}
