package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;

/**
 * A unit of work came to a good end and was rolled back all the same: a unit that had joined it failed, was cancelled, or
 * asked for the rollback, and its outer unit went on as if nothing had happened; or the database ended the transaction, as
 * H2 and MariaDB do after a deadlock, and the body swallowed that. The cause is that failure, if it was one.
 */
public final class UnexpectedRollbackException extends WorkException {

    private static final long serialVersionUID = 1L;

    UnexpectedRollbackException(String name, @Nullable Throwable cause) {
        super(
                name
                        + " was rolled back, because a unit that had joined it did not succeed, or because the database ended"
                        + " its transaction. Let that failure pass, or, to go on without what failed, run it with"
                        + " Propagation.NESTED",
                cause);
    }
}
