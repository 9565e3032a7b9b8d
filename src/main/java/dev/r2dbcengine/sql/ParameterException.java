package dev.r2dbcengine.sql;

import java.util.Collection;
import java.util.List;

/** Thrown when parameters are unknown, missing, bound twice, or have a value that cannot be bound. */
public final class ParameterException extends StatementException {

    private static final long serialVersionUID = 1L;

    /** See {@link #names()}. */
    @SuppressWarnings("serial") // an immutable list of strings
    private final List<String> names;

    ParameterException(String message, Collection<String> names, String sql) {
        super(message, sql);
        this.names = List.copyOf(names);
    }

    /**
     * Returns the names of the parameters concerned.
     *
     * @return their names, without colons
     */
    public List<String> names() {
        return names;
    }
}
