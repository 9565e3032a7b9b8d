package dev.r2dbcengine.work;

import io.r2dbc.spi.IsolationLevel;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What a {@link UnitOfWork} was told. Written only while it is being copied, before anybody else has it. */
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

    @Nullable Function<? super Work, ? extends Publisher<?>> onBegin;

    WorkSettings copy() {
        try {
            return (WorkSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /* A transaction that begins with a plain BEGIN and leaves nothing behind. */
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
