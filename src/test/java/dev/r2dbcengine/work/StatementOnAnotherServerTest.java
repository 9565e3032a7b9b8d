package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * MariaDB cancels a statement by {@code KILL QUERY} on another connection, which a load balancer may have passed to another
 * server, where the same id is the session of a stranger.
 */
class StatementOnAnotherServerTest extends FakeUnits {
    private static final String KILL = "execute KILL QUERY 7";

    StatementOnAnotherServerTest() {
        super(onServer(new FakeDriver("MariaDB"), "a"));
    }

    private static FakeDriver onServer(FakeDriver driver, String name) {
        driver.answer(StatementOnAnotherServerTest::isSessionQuery, FakeRow.of("server", name, "id", "7"));
        return driver;
    }

    private static boolean isSessionQuery(String sql) {
        return sql.contains("connection_id()");
    }

    private List<String> callsOfEndlessUnit() {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        driver.on(Call.EXECUTE, "endless"::equals).times(1).neverAnswers();
        StepVerifier.create(engine.unitOfWork()
                        .timeout(Duration.ofSeconds(1))
                        .execute(work -> work.sql("endless").update()))
                .expectSubscription()
                .then(() -> time.advanceTimeBy(deadline()))
                .expectError(WorkTimeoutException.class)
                .verify(LONG);
        return driver.calls();
    }

    private List<String> callsOfCancelledStatement() {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        driver.on(Call.EXECUTE, "endless"::equals).times(1).neverAnswers();
        engine.sql("endless").update().subscribe().dispose();
        time.advanceTimeBy(deadline());
        return driver.calls();
    }

    private List<String> calls(boolean inUnit) {
        return inUnit ? callsOfEndlessUnit() : callsOfCancelledStatement();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void statementIsKilledFromAnotherConnectionToItsServer(boolean inUnit) {
        assertThat(calls(inUnit)).containsSubsequence("2 create", "2 " + KILL, "2 close");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionIsClosedIfOtherConnectionReachesAnotherServer(boolean inUnit) {
        onServer(driver, "b");

        assertThat(calls(inUnit))
                .containsSubsequence("2 create", "2 close", "1 close")
                .noneMatch(call -> call.contains("KILL"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionIsClosedIfOtherSessionIsUnknown(boolean inUnit) {
        driver.on(Call.EXECUTE, StatementOnAnotherServerTest::isSessionQuery).fails(fault);

        assertThat(calls(inUnit)).contains("1 close").noneMatch(call -> call.contains("KILL"));
    }

    @Test
    void connectionOfUnknownSessionIsUsed() {
        driver.on(Call.EXECUTE, StatementOnAnotherServerTest::isSessionQuery).fails(fault);

        StepVerifier.create(Mono.usingWhen(
                        engine.openConnection(),
                        connection -> Mono.from(
                                        connection.createStatement("any").execute())
                                .flatMap(result -> Mono.from(result.getRowsUpdated())),
                        connection -> connection.close()))
                .expectNext(1L)
                .verifyComplete();
    }
}
