package dev.r2dbcengine.soak;

/** A failure that an operation plans. */
final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnPurpose() {
        super("on purpose", null, false, false);
    }
}
