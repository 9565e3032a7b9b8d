package dev.r2dbcengine.work;

/**
 * A row stream had to make way for the next statement of its unit of work, and more of its rows were waiting to be asked
 * for than the buffer takes. The stream fails; what its failure cancels does not run.
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
     * How many rows the buffer takes.
     *
     * @return the bound
     */
    public int bound() {
        return bound;
    }
}
