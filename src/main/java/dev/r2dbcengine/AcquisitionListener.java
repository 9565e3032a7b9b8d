package dev.r2dbcengine;

/**
 * Is told how one borrow of a connection ends, by one call of one method. It must not block; what it throws is logged and
 * changes nothing.
 */
public interface AcquisitionListener {

    /** The borrower gets the connection now. */
    void borrowed();

    /**
     * There is no connection: none was free in time, none could be made, or the pool is closed.
     *
     * @param failure what the borrower gets
     */
    void failed(Throwable failure);

    /** The borrower has left before there was a connection. */
    void cancelled();
}
