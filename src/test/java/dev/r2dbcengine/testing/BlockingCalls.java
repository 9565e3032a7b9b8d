package dev.r2dbcengine.testing;

import java.util.List;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Makes every blocking call on a non-blocking thread an error, in all tests, and prepares H2 for that. */
public final class BlockingCalls implements BlockHoundIntegration {
    /* r2dbc-mariadb takes a lock for each message, which its event loop holds while it queues one. */
    private static final List<String> MARIADB_SENDING = List.of(
            // a message without an answer: the end of a connection or of a prepared statement
            "sendCommandWithoutResult",
            // a statement as text, when it is subscribed
            "lambda$sendCommand$17",
            // a statement that is prepared and executed in one go
            "lambda$sendCommand$20",
            // the server's first message on a new connection
            "lambda$receive$15",
            // checks for a message in flight before deciding whether one is needed
            "setAutoCommit",
            "executeWhenTransaction",
            "executeWhenNotInTransaction");

    @Override
    public void applyTo(BlockHound.Builder builder) {
        try {
            // It reads a file when it is loaded; a failure would make the class unusable.
            Class.forName("org.h2.message.DbException");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        // A driver loads classes from the class path on its event loop.
        builder.allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readFullyAt");
        builder.allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readAt");
        // Each login to PostgreSQL and MariaDB draws random numbers, which the JDK reads from a file.
        builder.allowBlockingCallsInside("java.security.SecureRandom", "nextBytes");
        // Under contention, Netty 4.2 gives each thread its own buffers and waits for threads that still use the shared
        // one. The exceptions that Netty itself registers do not include that wait.
        builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator$Magazine", "free");
        for (String sending : MARIADB_SENDING) {
            builder.allowBlockingCallsInside("org.mariadb.r2dbc.client.SimpleClient", sending);
        }
    }
}
