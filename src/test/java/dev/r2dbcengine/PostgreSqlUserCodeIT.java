package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class PostgreSqlUserCodeIT extends UserCodeContract {
    PostgreSqlUserCodeIT() {
        super(Server.POSTGRESQL, sharpest());
    }

    @Test
    void copyFromStdinIsRejectedWithAlternative() {
        StepVerifier.create(engine.sql("copy t from stdin").update())
                .expectErrorSatisfies(PostgreSqlUserCodeIT::assertNamesAlternative)
                .verify(LONG);
        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.sql("copy t from stdin").update()))
                .expectErrorSatisfies(PostgreSqlUserCodeIT::assertNamesAlternative)
                .verify(LONG);
    }

    private static void assertNamesAlternative(Throwable e) {
        assertThat(e)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("PostgresqlConnection.copyIn(…)");
    }
}
