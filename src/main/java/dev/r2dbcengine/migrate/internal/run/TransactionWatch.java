package dev.r2dbcengine.migrate.internal.run;

import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Detects that a script has ended the transaction that the run has begun for it. The driver knows the state of its transaction
 * after each statement, so that this costs no round trip. Only a statement that ends one transaction and begins the next at
 * once ({@code COMMIT AND CHAIN}) leaves that state as it was.
 */
final class TransactionWatch {

    private volatile @Nullable Mono<Void> whenEnded;

    /** Runs an action once if a statement of the body ends the current transaction. */
    Mono<Void> during(Mono<Void> body, Mono<Void> ended) {
        return Mono.defer(() -> {
            whenEnded = ended;
            return RunSubscriber.andThen(body, Mono.fromRunnable(() -> whenEnded = null));
        });
    }

    /** Checks the transaction after a statement. */
    Mono<Void> after(Connection connection, boolean chains) {
        Mono<Void> action = whenEnded;
        if (action == null || !(chains || connection.isAutoCommit())) {
            return Mono.empty();
        }
        whenEnded = null;
        return action;
    }
}
