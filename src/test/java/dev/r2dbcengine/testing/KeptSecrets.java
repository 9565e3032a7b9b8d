package dev.r2dbcengine.testing;

import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a run of tests in which the library has written a {@linkplain Secrets secret} to a log line or to the message
 * of an exception. It is registered for all tests (META-INF/services).
 */
public final class KeptSecrets implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(Namespace.create(KeptSecrets.class))
                .getOrComputeIfAbsent(Watch.class, key -> new Watch(), Watch.class);
    }

    /** Watches from the first test of this JVM to the last. */
    static final class Watch implements AutoCloseable {
        private final SecretsInExceptions exceptions = new SecretsInExceptions();

        @Override
        public void close() {
            exceptions.close();
            List<String> leaks = Secrets.leaks();
            if (!leaks.isEmpty()) {
                throw new AssertionError("The library has written secrets:\n" + String.join("\n", leaks));
            }
        }
    }
}
