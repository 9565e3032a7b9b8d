package dev.r2dbcengine.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class PhysicalConnectionsTest {
    private final FakeDriver driver = new FakeDriver();
    private final PhysicalConnections physical = new PhysicalConnections(
            "r2dbc:fake://host/db",
            new DriverConnections(Mono.just(driver), () -> "Fake", List.of()),
            new ShutdownGate(),
            Duration.ZERO,
            () -> {},
            null);

    private Connection connection() {
        return Objects.requireNonNull(physical.create().block());
    }

    @Test
    void forgottenConnectionIsClosedOnce() {
        Connection forgotten = connection();

        physical.closeForgotten().as(StepVerifier::create).verifyComplete();
        physical.close(forgotten).as(StepVerifier::create).verifyComplete();

        assertThat(driver.openConnections()).isZero();
        assertThat(driver.violations()).isEmpty();
        physical.awaitClosed().as(StepVerifier::create).verifyComplete();
    }

    @Test
    void lentConnectionIsNotForgottenBeforeItsRelease() {
        Connection lent = connection();
        physical.lent(lent);

        physical.closeForgotten().as(StepVerifier::create).verifyComplete();
        assertThat(driver.openConnections()).isOne();

        physical.restore(lent);
        physical.closeForgotten().as(StepVerifier::create).verifyComplete();
        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void closeThatNeverCompletesFailsAfterTheTimeout() {
        driver.on(Call.CLOSE).neverAnswers();

        StepVerifier.withVirtualTime(() -> physical.close(connection()))
                .expectSubscription()
                .expectNoEvent(PhysicalConnections.CLOSE_TIMEOUT.minusMillis(1))
                .thenAwait(Duration.ofMillis(1))
                .verifyError(TimeoutException.class);

        assertThat(physical.openCount()).as("the connection and the pool").isEqualTo(2);
    }

    /** r2dbc-mysql has one name for two servers; the first connection decides. */
    @Test
    void dialectOfTheServerStaysWhileAnotherConnectionIsBeingCreated() {
        FakeDriver mysql = new FakeDriver("MySQL").serverVersion("11.4.2-MariaDB");
        DriverConnections connections = new DriverConnections(Mono.just(mysql), mysql, List.of());
        assertThat(connections.metadata().getName()).isEqualTo("MySQL");
        Objects.requireNonNull(connections.create().block()).setUp().block();
        mysql.on(Call.CREATE).neverAnswers();

        Disposable another = connections.create().subscribe();

        assertThat(connections.metadata().getName()).isEqualTo(Dialect.MARIADB_BY_MYSQL_DRIVER.name());
        another.dispose();
    }

    @Test
    void asynchronousValidationIsNotEvaluated() {
        assertThat(PhysicalConnections.isKnownToBeLost(connection())).isFalse();
        assertThat(driver.calls()).containsExactly("1 create");
    }

    @Test
    void connectionWithFailingValidationIsLost() {
        driver.on(Call.VALIDATE).throwsAtOnce(new IllegalStateException("gone"));

        assertThat(PhysicalConnections.isKnownToBeLost(connection())).isTrue();
    }
}
