package dev.r2dbcengine.work;

import io.r2dbc.spi.IsolationLevel;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link UnitOfWork}. Written only while they are copied, before the copy is shared. */
final class WorkSettings implements Cloneable {

    Propagation propagation = Propagation.REQUIRED;

    @Nullable IsolationLevel isolation;

    boolean readOnly;
    Duration timeout = Duration.ZERO;
    Duration lockWaitTimeout = Duration.ZERO;
    Duration cleanupTimeout = Duration.ofSeconds(10);
    Duration graceTime = Duration.ofSeconds(5);
    int rowBuffer = 65_536;
    String name = "unit of work";

    @Nullable RetryPolicy retry;

    Predicate<? super Throwable> rollbackOn = failure -> true;
    boolean alwaysRollback;

    Transaction.@Nullable SetUp onBegin;

    WorkSettings copy() {
        try {
            return (WorkSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /* True for a transaction that begins with a plain BEGIN and changes no setting of the session. */
    boolean isPlain() {
        return isolation == null && !readOnly && timeout.isZero() && lockWaitTimeout.isZero();
    }

    boolean rollsBack(Throwable e) {
        try {
            return alwaysRollback || rollbackOn.test(e);
        } catch (Throwable thrown) {
            Transaction.suppress(e, thrown);
            return true;
        }
    }
}
