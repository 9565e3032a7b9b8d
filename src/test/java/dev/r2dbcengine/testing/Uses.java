package dev.r2dbcengine.testing;

import java.util.concurrent.atomic.AtomicLong;

/** The number of uses of a registration: some are skipped, then some apply. */
final class Uses {
    private final AtomicLong asked = new AtomicLong();
    private volatile long skipped;
    private volatile long limit = Long.MAX_VALUE;

    void skip(int calls) {
        skipped = calls;
    }

    void limit(int calls) {
        limit = calls;
    }

    boolean take() {
        long before = asked.getAndIncrement() - skipped;
        return before >= 0 && before < limit;
    }
}
