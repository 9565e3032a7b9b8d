package dev.r2dbcengine;

/**
 * A listener for the outcome of one acquisition of a connection. Exactly one of its methods is called, once. It must
 * not block; an exception that it throws is logged and otherwise ignored.
 */
public interface AcquisitionListener {

    /** Called before the subscriber gets the connection. */
    void borrowed();

    /**
     * Called if the acquisition failed: it timed out, no connection could be created, or the pool is closed.
     *
     * @param failure the error that the subscriber gets
     */
    void failed(Throwable failure);

    /** Called if the subscriber cancelled before it got a connection. */
    void cancelled();
}
