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
        // What drivers do on their event loops to log in: look for plugins, draw random numbers.
        builder.allowBlockingCallsInside("org.mariadb.r2dbc.authentication.AuthenticationFlowPluginLoader", "get");
        builder.allowBlockingCallsInside("java.security.SecureRandom", "nextBytes");
    }
}
