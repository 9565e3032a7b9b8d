package dev.r2dbcengine.work;

/**
 * The buffer of a row stream is full: another statement of the unit of work needs the connection, and the subscriber of the
 * stream has not requested more rows. The stream fails, and statements that its failure cancels do not run.
 */
public final class RowBufferException extends WorkException {

    private static final long serialVersionUID = 1L;

    /** See {@link #bound()}. */
    private final int bound;

    RowBufferException(String name, int bound) {
        super("In " + name + ", a statement waits for a row stream that is still open, and more than " + bound
                + " of its rows wait to be asked for. Collect the rows first, select them in pages, read them on another"
                + " connection (REQUIRES_NEW), or raise UnitOfWork.rowBuffer(…)");
        this.bound = bound;
    }

    /**
     * Returns the capacity of the buffer in rows.
     *
     * @return the bound
     */
    public int bound() {
        return bound;
    }
}
