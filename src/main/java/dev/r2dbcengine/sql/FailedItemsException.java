package dev.r2dbcengine.sql;

/**
 * The items of a batch that were sent together in the statement that failed. Suppressed in the exception of the driver.
 */
public final class FailedItemsException extends StatementException {

    private static final long serialVersionUID = 1L;

    /** See {@link #first()}. */
    private final long first;
    /** See {@link #last()}. */
    private final long last;

    FailedItemsException(long first, long last, String sql) {
        super(
                first == last
                        ? "Item " + first + " of the batch failed"
                        : "One of the items " + first + " to " + last + " of the batch failed",
                sql);
        this.first = first;
        this.last = last;
    }

    /**
     * Returns the position of the first of the items.
     *
     * @return the position in the batch, from 1
     */
    public long first() {
        return first;
    }

    /**
     * Returns the position of the last of the items.
     *
     * @return the position in the batch, from 1
     */
    public long last() {
        return last;
    }
}
