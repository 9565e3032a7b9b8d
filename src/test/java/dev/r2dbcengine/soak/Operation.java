package dev.r2dbcengine.soak;

import static dev.r2dbcengine.work.Propagation.NESTED;
import static dev.r2dbcengine.work.Propagation.REQUIRES_NEW;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.sql.StatementTimeoutException;
import dev.r2dbcengine.testing.Leaving;
import dev.r2dbcengine.work.RetryPolicy;
import dev.r2dbcengine.work.UnexpectedRollbackException;
import dev.r2dbcengine.work.Work;
import dev.r2dbcengine.work.WorkTimeoutException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An action of an application or an event; each succeeds, apart from its planned failures. */
enum Operation {
    /** Writes both halves of a pair in one transaction. */
    COMMITS(onOneEngine((engine, dice) -> engine.unitOfWork().execute(pairBy(dice.pair())))),

    FAILS(onOneEngine((engine, dice) -> engine.unitOfWork()
            .execute(work -> half(work, "a", dice.pair()).then(Mono.error(OnPurpose::new)))
            .onErrorComplete(OnPurpose.class))),

    STATEMENT_FAILS(onOneEngine((engine, dice) -> engine.unitOfWork()
            .execute(work -> half(work, "a", dice.pair())
                    .then(work.sql("insert into nowhere values (1)").update()))
            .onErrorComplete(R2dbcException.class))),

    TIMES_OUT(onOneEngine((engine, dice) -> engine.unitOfWork()
            .timeout(Duration.ofMillis(2))
            .execute(work ->
                    half(work, "a", dice.pair()).then(Mono.delay(dice.moment()).then(half(work, "b", dice.pair()))))
            .onErrorComplete(WorkTimeoutException.class))),

    NESTS(onOneEngine((engine, dice) -> engine.unitOfWork()
            .execute(work -> half(work, "a", dice.pair())
                    .then(engine.unitOfWork().propagation(NESTED).execute(pairBy(dice.pair())))
                    .then(work.savepoint(inner -> half(inner, "a", dice.pair()).then(Mono.<Long>error(OnPurpose::new)))
                            .onErrorComplete(OnPurpose.class))
                    .then(half(work, "b", dice.pair()))))),

    TAKES_ANOTHER_CONNECTION(onOneEngine((engine, dice) -> engine.unitOfWork()
            .execute(work -> half(work, "a", dice.pair())
                    .then(engine.unitOfWork().propagation(REQUIRES_NEW).execute(pairBy(dice.otherPair())))
                    .then(half(work, "b", dice.pair()))))),

    JOINS(onOneEngine((engine, dice) -> engine.unitOfWork()
            .execute(work -> half(work, "a", dice.pair())
                    .then(engine.unitOfWork()
                            .execute(
                                    inner -> dice.oneIn(2) ? half(inner, "b", dice.pair()) : Mono.error(OnPurpose::new))
                            .onErrorComplete(OnPurpose.class)))
            .onErrorComplete(UnexpectedRollbackException.class))),

    RETRIES(onOneEngine((engine, dice) -> {
        AtomicInteger attempts = new AtomicInteger();
        return engine.unitOfWork()
                .retry(RetryPolicy.times(2).pauses(Duration.ZERO, Duration.ZERO))
                .execute(work -> pairBy(dice.pair())
                        .apply(work)
                        .flatMap(changed -> attempts.incrementAndGet() < 3
                                ? Mono.error(new R2dbcTransientResourceException("on purpose", "40001"))
                                : Mono.just(changed)));
    })),

    /** Runs a statement for each row of a stream. */
    STREAMS(onOneEngine((engine, dice) -> engine.unitOfWork().stream(
                    work -> rows(work.sql(Sites.NUMBERS).map(Long.class).all(), dice)
                            .concatMap(n -> pairBy(dice.pair()).apply(work)))
            .then())),

    /** Streams outside a unit, completely or not. */
    READS(onOneEngine((engine, dice) ->
            rows(engine.sql(Sites.NUMBERS).map(Long.class).all(), dice).then())),

    /** Cancels one of the operations above at a random time. */
    CANCELS((sites, dice) ->
            Leaving.after(dice.moment(), dice.oneOf(cancellable()).run(sites, dice))),

    STATEMENT_TIMES_OUT((sites, dice) -> dice.oneOf(sites.slow())
            .timeout(Duration.ofMillis(10))
            .map(Long.class)
            .all()
            .then(Mono.error(() -> new AssertionError("A statement went on past its limit")))
            .onErrorComplete(StatementTimeoutException.class)),

    TENANTS((sites, dice) -> sites.tenants(dice)),
    A_NEW_DATABASE((sites, dice) -> sites.newDatabase(dice)),
    A_NEW_CACHE((sites, dice) -> FakeCache.openUseAndClose(dice)),

    OPENING_FAILS((sites, dice) -> sites.unreachable(dice).open().onErrorComplete(EngineOpenException.class));

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final BiFunction<Sites, Dice, Mono<?>> action;

    Operation(BiFunction<Sites, Dice, Mono<?>> action) {
        this.action = action;
    }

    Mono<Void> run(Sites sites, Dice dice) {
        return Mono.defer(() -> action.apply(sites, dice)).then();
    }

    static List<Operation> all() {
        return Arrays.asList(values());
    }

    private static List<Operation> cancellable() {
        return List.copyOf(EnumSet.range(COMMITS, READS));
    }

    private static BiFunction<Sites, Dice, Mono<?>> onOneEngine(BiFunction<Engine, Dice, Mono<?>> action) {
        return (sites, dice) -> action.apply(dice.oneOf(sites.engines()), dice);
    }

    /** Returns a body that writes both halves of a pair. */
    static Function<Work, Mono<Long>> pairBy(int id) {
        return work -> half(work, "a", id).then(half(work, "b", id));
    }

    private static Mono<Long> half(Work work, String column, int id) {
        return work.sql("update pair set " + column + " = " + column + " + 1 where id = :id")
                .bind("id", id)
                .update();
    }

    private static Flux<Long> rows(Flux<Long> all, Dice dice) {
        return dice.oneIn(2) ? all : all.take(1 + dice.below(8));
    }
}
