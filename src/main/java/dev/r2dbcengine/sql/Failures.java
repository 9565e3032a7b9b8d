package dev.r2dbcengine.sql;

import io.r2dbc.spi.R2dbcException;

/** Tells a failure without the driver's message, which may carry values. */
final class Failures {

    private Failures() {}

    static String describe(Throwable failure) {
        String name = failure.getClass().getName();
        return failure instanceof R2dbcException told
                ? name + ", code " + told.getErrorCode() + ", SQLSTATE " + told.getSqlState()
                : name;
    }
}
