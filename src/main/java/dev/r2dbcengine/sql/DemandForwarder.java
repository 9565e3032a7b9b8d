package dev.r2dbcengine.sql;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/**
 * What a subscriber asked for, passed on to results that are read one after the other, and never more than that. Rows
 * come on one thread, and are asked for on any.
 */
final class DemandForwarder {

    private static final AtomicLongFieldUpdater<DemandForwarder> WANTED =
            AtomicLongFieldUpdater.newUpdater(DemandForwarder.class, "wanted");

    private static final AtomicIntegerFieldUpdater<DemandForwarder> FORWARDING =
            AtomicIntegerFieldUpdater.newUpdater(DemandForwarder.class, "forwarding");

    /* All that was ever asked for; a guard of forward(). */
    private volatile long wanted;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int forwarding;

    /* The result that is being read, after so many rows of others; written in this order, the other way round read. */
    private long before;
    private volatile @Nullable Subscription reading;

    /* Only under the guard: the result that was asked last, and for what. */
    private @Nullable Subscription asked;
    private long askedFor;

    boolean isUnbounded() {
        return wanted == Long.MAX_VALUE;
    }

    void add(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(WANTED, this, n);
            forward();
        }
    }

    /* The next result comes after so many rows. */
    void reading(Subscription result, long rows) {
        before = rows;
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
                ask(result, wanted);
            }
            missed = FORWARDING.addAndGet(this, -missed);
        } while (missed != 0);
    }

    private void ask(Subscription result, long all) {
        if (result != asked) {
            asked = result;
            askedFor = before;
        }
        long sofar = askedFor;
        if (sofar < all) {
            askedFor = all;
            result.request(all == Long.MAX_VALUE ? all : all - sofar);
        }
    }
}
