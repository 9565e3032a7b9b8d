package dev.r2dbcengine.testing;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Makes every blocking call on a thread that must not block an error, in all tests; and prepares H2 for that. */
public final class BlockingCalls implements BlockHoundIntegration {
    @Override
    public void applyTo(BlockHound.Builder builder) {
        try {
            // It reads a file when it is loaded: to fail in that would poison the class for good.
            Class.forName("org.h2.message.DbException");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        // What drivers do once on their event loops: read the class path, draw random numbers to log in.
        builder.allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readFullyAt");
        builder.allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readAt");
        builder.allowBlockingCallsInside("java.security.SecureRandom", "nextBytes");
    }
}
