package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.Connection;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Borrows a connection, begins a transaction that holds locks, and forgets it. */
abstract class LeakingCase {
    @Test
    @Commit
    void forgets(Engine engine) {
        Connection lost =
                Objects.requireNonNull(engine.unitOfWork().source().borrow().block());
        Mono.from(lost.beginTransaction())
                .thenMany(
                        lost.createStatement("insert into item values ('lost')").execute())
                .flatMap(result -> result.getRowsUpdated())
                .blockLast();
    }
}
