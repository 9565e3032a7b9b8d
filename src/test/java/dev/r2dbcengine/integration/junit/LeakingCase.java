package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.Connection;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A test class that does not release its connection, whose transaction holds locks. */
abstract class LeakingCase {
    @Test
    @Commit
    void doesNotReleaseConnection(Engine engine) {
        Connection connection =
                Objects.requireNonNull(engine.unitOfWork().source().borrow().block());
        Mono.from(connection.beginTransaction())
                .thenMany(connection
                        .createStatement("insert into item values ('lost')")
                        .execute())
                .flatMap(result -> result.getRowsUpdated())
                .blockLast();
    }
}
