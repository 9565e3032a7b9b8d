package dev.r2dbcengine.soak;

/** A failure that an operation has planned. */
final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnPurpose() {
        super("on purpose", null, false, false);
    }
}
