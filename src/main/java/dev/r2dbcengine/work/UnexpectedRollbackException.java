package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;

/**
 * A unit of work was rolled back although its body completed. Either a unit that had joined it failed, was cancelled or
 * requested the rollback, and the outer body handled that; or the database ended the transaction, as H2 and MariaDB do after
 * a deadlock, and the body handled the error. The cause is the original failure, if there is one.
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
