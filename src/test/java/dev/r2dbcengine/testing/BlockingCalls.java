package dev.r2dbcengine.testing;

import java.util.List;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Makes every blocking call on a thread that must not block an error, in all tests; and prepares H2 for that. */
public final class BlockingCalls implements BlockHoundIntegration {
    private static final List<String> MARIADB_SENDING = List.of(
            "sendCommandWithoutResult",
            "lambda$sendCommand$17",
            "lambda$sendCommand$20",
            "lambda$receive$15",
            "setAutoCommit",
            "executeWhenTransaction",
            "executeWhenNotInTransaction");

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
        // What r2dbc-mariadb does at each message: take a lock that its own event loop may hold for a moment.
        for (String sending : MARIADB_SENDING) {
            builder.allowBlockingCallsInside("org.mariadb.r2dbc.client.SimpleClient", sending);
        }
    }
}
