package dev.r2dbcengine.sql;

import org.jspecify.annotations.Nullable;

/** Checks arguments of R2DBC SPI calls, which throw {@link IllegalArgumentException} for null. */
public final class SpiArguments {

    private SpiArguments() {}

    /**
     * Returns an argument that is not null.
     *
     * @param argument of a call
     * @param name of the parameter, for the message
     * @param <T> type of the argument
     * @return the argument
     * @throws IllegalArgumentException if the argument is null
     */
    public static <T> T required(@Nullable T argument, String name) {
        if (argument == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return argument;
    }
}
