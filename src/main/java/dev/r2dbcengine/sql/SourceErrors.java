package dev.r2dbcengine.sql;

/** How one tells of a {@link ConnectionSource}, or of a statement on one, that does not keep its contract. */
public final class SourceErrors {

    private SourceErrors() {}

    /** {@return what {@link ConnectionSource#one} fails with after more than one value} */
    public static IllegalStateException moreThanOneValue() {
        return new IllegalStateException("The statement was to have one value and had more: let it have one, or use"
                + " ConnectionSource.rows(…)");
    }

    /** {@return what a statement fails with when {@link ConnectionSource#borrow} is empty} */
    public static IllegalStateException noConnection() {
        return new IllegalStateException(
                "The connection source completed without a connection: its borrow() has to emit one, or to fail");
    }
}
