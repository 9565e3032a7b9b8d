package dev.r2dbcengine.testing;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Makes every blocking call on a thread that must not block an error, in all tests; and prepares H2 for that. */
public final class BlockingCalls implements BlockHoundIntegration {
    @Override
    public void applyTo(BlockHound.Builder builder) {
        try {
            // It reads a file when it is loaded: on a non-blocking thread that would fail, and poison the class for
            // good.
            Class.forName("org.h2.message.DbException");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
