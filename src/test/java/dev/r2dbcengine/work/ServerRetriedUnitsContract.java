package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.Server;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Two units that lock two rows in opposite order, on every database that detects deadlocks. */
abstract class ServerRetriedUnitsContract extends RetriedUnitsContract {
    ServerRetriedUnitsContract(Server server) {
        super(server);
    }

    /**
     * One of the two units.
     *
     * @param work the handle of the unit
     * @param own the row that it locks first
     * @param others the row that the other unit locks first
     * @param bothLocked completes once both units hold their first lock
     */
    record Side(Work work, int own, int others, Mono<Boolean> bothLocked) {
        Mono<Long> cross() {
            return log(work, "before " + own)
                    .then(add(work, own, 1))
                    .then(bothLocked)
                    .then(add(work, others, 1));
        }
    }

    /* The result of each unit: its value, or the kind of its failure. */
    private List<String> cross(UnitOfWork unit, Function<Side, Mono<Long>> body) {
        List<Sinks.One<Boolean>> holds = List.of(Sinks.one(), Sinks.one());
        return Objects.requireNonNull(Flux.range(0, 2)
                .flatMap(i -> {
                    Mono<Boolean> bothLocked = Mono.defer(() -> {
                        holds.get(i).tryEmitValue(true);
                        return holds.get(1 - i).asMono();
                    });
                    return unit.name("unit " + i)
                            .execute(work -> body.apply(new Side(work, i, 1 - i, bothLocked)))
                            .map(String::valueOf)
                            .onErrorResume(e -> Mono.just(kindOf(e).name()));
                })
                .collectSortedList()
                .block(LONG));
    }

    @Test
    void deadlockWithoutRetryFailsOneUnit() {
        assertThat(cross(engine.unitOfWork(), Side::cross)).containsExactly("1", ErrorKind.DEADLOCK.name());

        assertThat(balances()).startsWith(EACH + 1, EACH + 1, EACH);
        assertThat(logged()).hasSize(1);
        assertThat(units.events()).containsExactlyInAnyOrder("began", "began", "committed", "rolled back");
    }

    @Test
    void deadlockWithRetryCompletesBothUnits() {
        assertThat(cross(engine.unitOfWork().retry(MANY), Side::cross)).containsExactly("1", "1");

        assertThat(balances()).startsWith(EACH + 2, EACH + 2, EACH);
        assertThat(logged()).hasSize(2);
        assertThat(units.count("retrying after 1")).isOne();
        assertThat(units.count("committed")).isEqualTo(2);
    }

    @Test
    void deadlockInNestedUnitRetriesOwner() {
        AtomicInteger owners = new AtomicInteger();

        assertThat(cross(engine.unitOfWork().retry(MANY), side -> {
                    owners.incrementAndGet();
                    return log(side.work(), "outer " + side.own())
                            .then(side.work()
                                    .savepoint(inner ->
                                            new Side(inner, side.own(), side.others(), side.bothLocked()).cross()));
                }))
                .containsExactly("1", "1");

        assertThat(owners).hasValue(3);
        assertThat(logged()).containsExactly("before 0", "before 1", "outer 0", "outer 1");
        assertThat(balances()).startsWith(EACH + 2, EACH + 2, EACH);
    }

    @Test
    void bodySwallowingDeadlockIsCommittedWhollyOrNotAtAll() {
        cross(
                engine.unitOfWork(),
                side -> side.cross()
                        .doOnError(e -> kinds.add(kindOf(e)))
                        .onErrorReturn(0L)
                        .then(log(side.work(), "after " + side.own()))
                        .onErrorReturn(0L));

        assertLoggedWhollyOrNotAtAll("before ");
    }

    @Test
    void bodySwallowingDeadlockInSavepointIsCommittedWhollyOrNotAtAll() {
        cross(
                engine.unitOfWork(),
                side -> log(side.work(), "first " + side.own())
                        .then(side.work()
                                .savepoint(
                                        inner -> new Side(inner, side.own(), side.others(), side.bothLocked()).cross())
                                .doOnError(e -> kinds.add(kindOf(e)))
                                .onErrorReturn(0L))
                        .then(log(side.work(), "after " + side.own()))
                        .onErrorReturn(0L));

        assertLoggedWhollyOrNotAtAll("first ");
    }

    private void assertLoggedWhollyOrNotAtAll(String first) {
        List<String> logged = logged();
        assertThat(kinds).as("swallowed").containsExactly(ErrorKind.DEADLOCK);
        assertThat(logged).as("of the unit that continued").isNotEmpty();
        for (int i = 0; i < 2; i++) {
            assertThat(logged.contains("after " + i)).isEqualTo(logged.contains(first + i));
        }
    }
}
