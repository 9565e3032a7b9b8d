package dev.r2dbcengine.sql;

/** The errors of a {@link ConnectionSource}, or of a statement on one, that violates its contract. */
public final class SourceErrors {

    private SourceErrors() {}

    /** {@return the error of {@link ConnectionSource#one} for more than one value} */
    public static IllegalStateException moreThanOneValue() {
        return new IllegalStateException("The statement was to have one value and had more: let it have one, or use"
                + " ConnectionSource.rows(…)");
    }

    /** {@return the error of a statement when {@link ConnectionSource#borrow} is empty} */
    public static IllegalStateException noConnection() {
        return new IllegalStateException(
                "The connection source completed without a connection: its borrow() has to emit one, or to fail");
    }
}
