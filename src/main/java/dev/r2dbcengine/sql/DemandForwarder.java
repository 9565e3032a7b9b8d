package dev.r2dbcengine.sql;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/**
 * Forwards the demand of one subscriber to results that are read one after the other, never more than was requested.
 * Rows arrive on one thread; {@code request} may be called on any.
 *
 * <p>{@code requested} is the total demand. {@link #reading} publishes the next result together with the number of rows
 * that earlier results have emitted; {@link #forward} then requests from it the total less those rows. A counter of
 * missed calls serializes {@code forward}: a thread that finds it running leaves the work to the running thread.
 */
final class DemandForwarder {

    private static final AtomicLongFieldUpdater<DemandForwarder> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(DemandForwarder.class, "requested");

    private static final AtomicIntegerFieldUpdater<DemandForwarder> FORWARDING =
            AtomicIntegerFieldUpdater.newUpdater(DemandForwarder.class, "forwarding");

    /* The total demand, and the missed calls of forward(). */
    private volatile long requested;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int forwarding;

    /* Rows of earlier results, and the result being read. Written in this order and read in reverse. */
    private long rowsBefore;
    private volatile @Nullable Subscription reading;

    /* Accessed inside forward() only: the last result that got demand, and the total requested up to then. */
    private @Nullable Subscription lastResult;
    private long forwarded;

    boolean isUnbounded() {
        return requested == Long.MAX_VALUE;
    }

    void add(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            forward();
        }
    }

    /* Starts forwarding to the next result, which follows the given number of rows. */
    void reading(Subscription result, long rows) {
        rowsBefore = rows;
        reading = result;
        forward();
    }

    private void forward() {
        if (FORWARDING.getAndIncrement(this) != 0) {
            return;
        }
        int missed = 1;
        do {
            Subscription result = reading;
            if (result != null) {
                request(result, requested);
            }
            missed = FORWARDING.addAndGet(this, -missed);
        } while (missed != 0);
    }

    private void request(Subscription result, long all) {
        if (result != lastResult) {
            lastResult = result;
            forwarded = rowsBefore;
        }
        long already = forwarded;
        if (already < all) {
            forwarded = all;
            result.request(all == Long.MAX_VALUE ? all : all - already);
        }
    }
}
