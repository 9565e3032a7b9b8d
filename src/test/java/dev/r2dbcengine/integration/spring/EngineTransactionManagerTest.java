package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Cancellation while Spring begins a transaction, where Spring's own manager never releases the connection. */
class EngineTransactionManagerTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeDriver driver = new FakeDriver();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> driver)
            .boundConnections(new SpringTransactions())
            .build();
    private final Engine engine = engines.engine("r2dbc:fake://host/db?maxSize=1");
    private final TransactionalOperator transactions =
            TransactionalOperator.create(new EngineTransactionManager(engine.connectionFactory()));
    private final RuntimeException fault = new R2dbcNonTransientResourceException("on purpose", "XX000");

    @BeforeEach
    void open() {
        engine.dialect().block(LONG);
        driver.clear();
    }

    @AfterEach
    void verifyConnectionIsReleased() {
        StepVerifier.create(engine.sql("next").update())
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        assertThat(driver.violationsButDiscards()).isEmpty();
    }

    private Mono<Long> insert() {
        return transactions.transactional(engine.sql("a").update());
    }

    @Test
    void cancellationDuringBeginRollsBack() {
        FakeGate gate = driver.on(Call.BEGIN).times(1).waits();

        insert().subscribe().dispose();
        gate.release();

        assertThat(driver.executed()).isEmpty();
        assertThat(driver.calls()).anyMatch(call -> call.contains("rollback"));
    }

    @Test
    void failureAfterCancellationIsLogged() {
        FakeGate gate = driver.on(Call.BEGIN).times(1).waits();
        driver.on(Call.ROLLBACK).times(1).fails(fault);

        insert().subscribe().dispose();
        try (CapturedLogs logs = CapturedLogs.of(EngineTransactionManager.class)) {
            gate.release();

            assertThat(logs.lines())
                    .filteredOn(line -> !line.startsWith("DEBUG"))
                    .singleElement()
                    .asString()
                    .startsWith("WARN The begin or rollback of a cancelled transaction failed")
                    .doesNotContain("on purpose");
        }
    }

    @Test
    void failedBeginIsEmitted() {
        driver.on(Call.BEGIN).times(1).fails(fault);

        StepVerifier.create(insert())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(CannotCreateTransactionException.class)
                        .hasCause(fault))
                .verify(LONG);
    }
}
