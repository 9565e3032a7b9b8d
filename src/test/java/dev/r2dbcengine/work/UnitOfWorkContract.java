package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The contract of units of work, on every database and on an asynchronous fake driver. */
abstract class UnitOfWorkContract {
    static final Duration LONG = Duration.ofSeconds(30);

    final RecordedUnits units = new RecordedUnits();
    final IllegalStateException failure = new IllegalStateException("on purpose");

    abstract ReactiveEngineCache engines();

    abstract Engine engine();

    /** Returns another handle of the same engine. */
    abstract Engine otherHandle();

    /** Returns the engine of another database with the same table. */
    abstract Engine otherDatabase();

    /** Returns the committed rows of an engine, in order. */
    abstract List<String> items(Engine of);

    final List<String> items() {
        return items(engine());
    }

    final UnitOfWork unit() {
        return engine().unitOfWork();
    }

    static Mono<Long> insert(Engine engine, String name) {
        return engine.sql("insert into item (name) values ('" + name + "')").update();
    }

    final Mono<Long> insert(String name) {
        return insert(engine(), name);
    }

    static Mono<Long> insert(Work work, String name) {
        return work.sql("insert into item (name) values ('" + name + "')").update();
    }

    final <T> Mono<T> fail() {
        return Mono.error(failure);
    }

    /* Polls, since cleanup after a cancellation runs in the background. */
    final void awaitAllConnectionsReleased() {
        Flux.interval(Duration.ofMillis(5))
                .filter(tick -> engines().engines().stream()
                        .allMatch(status -> status.connections().borrowed() == 0))
                .blockFirst(LONG);
    }

    @AfterEach
    void everyTransactionEndedOnceAndNothingLeaks() {
        awaitAllConnectionsReleased();
        assertThat(units.count("committed") + units.count("rolled back") + units.count("in doubt"))
                .as("ends, of %s", units.events())
                .isEqualTo(units.count("began"));
        StepVerifier.create(engines().close()).expectComplete().verify(LONG);
        afterClose();
    }

    /* Called when the engines are closed. */
    abstract void afterClose();

    /* Completion */

    @Test
    void valueIsEmittedAfterCommitAndRelease() {
        StepVerifier.create(unit().execute(work -> insert(work, "a"))
                        .map(count -> count + " borrowed: " + borrowed())
                        .publishOn(Schedulers.boundedElastic())
                        .map(text -> text + " items: " + items()))
                .expectNext("1 borrowed: 0 items: [a]")
                .expectComplete()
                .verify(LONG);
    }

    final int borrowed() {
        return engines().engines().stream()
                .mapToInt(status -> status.connections().borrowed())
                .sum();
    }

    @Test
    void emptyBodyCommits() {
        StepVerifier.create(unit().execute(work -> insert(work, "a").then()))
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @Test
    void bodyWithoutStatementsAcquiresNoConnection() {
        StepVerifier.create(unit().execute(work -> Mono.just("value")))
                .expectNext("value")
                .expectComplete()
                .verify(LONG);

        assertThat(units.events()).isEmpty();
    }

    @Test
    void failedBodyRollsBackAndErrorIsPassedOn() {
        StepVerifier.create(unit().execute(work -> insert(work, "a").then(fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void throwingBodyFails() {
        StepVerifier.create(unit().execute(work -> {
                    throw failure;
                }))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    @Test
    void setRollbackOnlyRollsBackAndEmitsValue() {
        StepVerifier.create(unit().execute(work -> {
                    work.setRollbackOnly();
                    return insert(work, "a");
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void swallowedFailureOfJoinedUnitIsUnexpectedRollback() {
        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(insert("b").then(this.<Long>fail()).as(unit()::transactional))
                        .onErrorReturn(7L)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void failureOfJoinedUnitIsPassedOn() {
        StepVerifier.create(unit().execute(
                                work -> insert("b").then(this.<Long>fail()).as(unit()::transactional)))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    @Test
    void alwaysRollbackTakesPrecedenceOverRollbackOn() {
        UnitOfWork dryRun = unit().alwaysRollback().rollbackOn(e -> false);
        StepVerifier.create(dryRun.execute(work -> insert(work, "a").then(fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
        StepVerifier.create(unit().execute(work -> insert("b")
                        .then(this.<Long>fail())
                        .as(dryRun::transactional)
                        .onErrorReturn(7L)))
                .expectError(UnexpectedRollbackException.class)
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void alwaysRollbackEmitsValueAndCommitsNothing() {
        StepVerifier.create(unit().alwaysRollback().execute(work -> insert(work, "a")))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void failureExcludedByRollbackOnIsReportedAfterCommit() {
        UnitOfWork lenient = unit().rollbackOn(e -> !(e instanceof IllegalStateException));

        StepVerifier.create(lenient.execute(work -> insert(work, "a").then(fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
        StepVerifier.create(
                        lenient.execute(work -> insert(work, "b").then(Mono.error(new IllegalArgumentException("b")))))
                .expectError(IllegalArgumentException.class)
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @Test
    void cancelBetweenStatementsRollsBack() {
        Sinks.Empty<Void> inBetween = Sinks.empty();
        Mono<Long> unit = unit().execute(work -> insert(work, "a")
                .then(Mono.<Void>never().doOnSubscribe(s -> inBetween.tryEmitEmpty()))
                .then(insert(work, "b")));

        unit.takeUntilOther(inBetween.asMono()).block(LONG);
        awaitAllConnectionsReleased();

        assertThat(items()).isEmpty();
        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void monoFromExecuteCommitsAndMonoFromStreamRollsBack() {
        Flux<Long> stream = unit().stream(work -> Flux.concat(insert(work, "c"), insert(work, "d")));

        assertThat(Mono.from(unit().execute(work -> insert(work, "a"))).block(LONG))
                .isEqualTo(1);
        assertThat(Mono.from(stream).block(LONG)).isEqualTo(1);
        awaitAllConnectionsReleased();

        assertThat(items()).containsExactly("a");
    }

    @Test
    void streamEmitsBeforeCommitAndCompletesAfterIt() {
        StepVerifier.create(unit().stream(work -> Flux.concat(insert(work, "a"), insert(work, "b"))), 1)
                .expectNext(1L)
                .then(() -> assertThat(items()).isEmpty())
                .thenRequest(1)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void failedStreamRollsBack() {
        StepVerifier.create(
                        Flux.concat(insert("a"), insert("b"), this.<Long>fail()).as(unit()::transactional))
                .expectNext(1L, 1L)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void valueIsEmittedOnlyOnRequest() {
        StepVerifier.create(unit().execute(work -> insert(work, "a")), 0)
                .expectSubscription()
                .thenAwait(Duration.ofMillis(20))
                .thenRequest(1)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void eachSubscriptionRunsItsOwnUnit() {
        AtomicInteger run = new AtomicInteger();
        Mono<Long> unit = unit().execute(work -> insert(work, "run " + run.incrementAndGet()));

        StepVerifier.create(unit.repeat(2))
                .expectNext(1L, 1L, 1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("run 1", "run 2", "run 3");
        assertThat(units.count("committed")).isEqualTo(3);
    }

    @Test
    void timeoutRollsBackBeforeItIsReported() {
        StepVerifier.create(unit().timeout(Duration.ofMillis(300))
                        .name("slow")
                        .execute(work -> insert(work, "a").then(Mono.never()))
                        .onErrorResume(WorkTimeoutException.class, e -> Mono.just(e.getMessage() + "; " + borrowed())))
                .expectNext("slow did not end within its timeout of PT0.3S and was rolled back; 0")
                .expectComplete()
                .verify(LONG);
    }

    /* Propagation */

    @Test
    void requiredUnitJoins() {
        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(insert("b").as(unit()::transactional))
                        .then(insert("c"))
                        .then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(units.count("began")).isOne();
    }

    @Test
    void cancelledJoinedUnitRollsBackOuter() {
        Mono<Long> half = insert("a").then(Mono.<Long>never()).as(unit()::transactional);

        StepVerifier.create(unit().execute(work -> half.timeout(Duration.ofMillis(200))
                        .onErrorResume(TimeoutException.class, e -> insert(work, "b"))))
                .expectError(UnexpectedRollbackException.class)
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void nextOnJoinedUnitDoesNotCancelIt() {
        StepVerifier.create(unit().execute(work ->
                        Flux.from(insert("a").as(unit()::transactional)).next()))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @Test
    void timeoutOfJoinedUnitFailsOuter() {
        UnitOfWork limited = unit().timeout(Duration.ofMillis(200)).name("inner");

        StepVerifier.create(unit().execute(
                                work -> insert("a").then(Mono.<Long>never()).as(limited::transactional)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkTimeoutException.class)
                        .hasMessageContaining("inner did not end"))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void unitBoundToWorkPassesContextOn() {
        StepVerifier.create(unit().execute(work -> {
                    UnitOfWork bound = Engine.on(work).unitOfWork().propagation(Propagation.REQUIRED);
                    return withoutContext(insert("a").as(bound::transactional)).then(this.<Long>fail());
                }))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void requiresNewUnitCommitsThoughOuterFails() {
        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(insert("b").as(unit().propagation(Propagation.REQUIRES_NEW)::transactional))
                        .then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).containsExactly("b");
        assertThat(units.events()).containsExactly("began", "began", "committed", "rolled back");
    }

    @Test
    void mandatoryUnitJoinsAndFailsOutside() {
        UnitOfWork mandatory = unit().propagation(Propagation.MANDATORY).name("inner");

        StepVerifier.create(unit().execute(work -> insert("a").as(mandatory::transactional)))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(insert("b").as(mandatory::transactional))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .message()
                        .contains("inner", "MANDATORY"))
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQUIRED", "REQUIRES_NEW", "NESTED"})
    void unitOutsideAnotherBeginsTransaction(String propagation) {
        StepVerifier.create(insert("a").as(unit().propagation(Propagation.valueOf(propagation))::transactional))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a");
        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void outerUnitSurvivesNestedSuccessAndFailure() {
        UnitOfWork nested = unit().propagation(Propagation.NESTED);

        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(insert("b").as(nested::transactional))
                        .then(insert("c").then(this.<Long>fail()).as(nested::transactional))
                        .onErrorResume(e -> insert(work, "d"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a", "b", "d");
    }

    @Test
    void nestedUnitRollsBackWithOuter() {
        StepVerifier.create(unit().execute(work ->
                        work.savepoint(inner -> insert(inner, "a")).then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void failingLevelRollsBackItselfAndInnerLevels(int failing) {
        StepVerifier.create(level(1, failing).onErrorReturn(0L))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);

        List<List<String>> expected = List.of(
                List.of(), List.of("before 1", "after 1"), List.of("before 1", "before 2", "after 2", "after 1"));
        assertThat(items()).isEqualTo(expected.get(failing - 1));
    }

    private Mono<Long> level(int depth, int failing) {
        Mono<Long> inner =
                depth == 3 ? insert("in 3") : level(depth + 1, failing).onErrorReturn(0L);
        Mono<Long> last = depth == failing ? fail() : insert("after " + depth);
        return insert("before " + depth)
                .then(inner)
                .then(last)
                .as(unit().propagation(Propagation.NESTED)::transactional);
    }

    @Test
    void unitsOnTwoEnginesAreTwoTransactions() {
        Engine other = otherDatabase();
        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(insert(other, "x").as(other.unitOfWork()::transactional))
                        .then(insert(engine(), "b"))
                        .then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
        StepVerifier.create(unit().execute(work -> insert(work, "c")
                        .then(insert(other, "y").then(this.<Long>fail()).as(other.unitOfWork()::transactional))
                        .onErrorReturn(0L)))
                .expectNext(0L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("c");
        assertThat(items(other)).containsExactly("x");
    }

    @Test
    void twoHandlesOfOneEngineShareTheUnit() {
        StepVerifier.create(unit().execute(work ->
                        insert(work, "a").then(insert(otherHandle(), "b")).then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    /* One connection, many subscribers */

    @Test
    void concurrentInsertsRunInSubscriptionOrder() {
        StepVerifier.create(unit().execute(work -> Flux.range(0, 1000)
                        .flatMap(i -> insert(work, "n" + i), 1000)
                        .count()))
                .expectNext(1000L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).hasSize(1000).startsWith("n0", "n1", "n2").endsWith("n998", "n999");
    }

    @Test
    void concurrentSavepointsRunSequentially() {
        StepVerifier.create(unit().execute(work -> Mono.zip(
                        work.savepoint(inner -> insert(inner, "a")
                                        .then(insert(inner, "b"))
                                        .then(this.<Long>fail()))
                                .onErrorReturn(0L),
                        work.savepoint(inner -> insert(inner, "c")),
                        insert(work, "d"))))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("c", "d");
    }

    @Test
    void failedStatementInSavepointKeepsUnitUsable() {
        StepVerifier.create(unit().execute(work -> work.savepoint(inner ->
                                inner.sql("insert into nowhere values (1)").update())
                        .onErrorResume(e -> insert(work, "a"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @Test
    void statementAfterEndIsRejected() {
        AtomicReference<Work> kept = new AtomicReference<>();

        StepVerifier.create(unit().name("short").execute(work -> {
                    kept.set(work);
                    return insert(work, "a");
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        StepVerifier.create(insert(Objects.requireNonNull(kept.get()), "b"))
                .expectErrorSatisfies(e ->
                        assertThat(e).isInstanceOf(WorkEndedException.class).hasMessageContaining("short has ended"))
                .verify(LONG);
        assertThat(items()).containsExactly("a");
    }

    @Test
    void repositoryIsOneInstancePerUnitAndJoinsSavepoints() {
        StepVerifier.create(unit().execute(work -> {
                    Items items = work.repository(Items.class, Items::new);
                    return items.add("a")
                            .then(work.savepoint(inner -> {
                                assertThat(inner.repository(Items.class, Items::new))
                                        .isSameAs(items);
                                return items.add("b").then(this.<Long>fail());
                            }))
                            .onErrorResume(e -> items.add("c"));
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a", "c");
    }

    private record Items(Work work) {
        Mono<Long> add(String name) {
            return insert(work, name);
        }
    }

    @Test
    void engineBoundToUnitNeedsNoContext() {
        StepVerifier.create(unit().execute(work -> {
                    Engine bound = Engine.on(work);
                    return withoutContext(insert(bound, "a"))
                            .then(withoutContext(insert(bound, "b").as(bound.unitOfWork()::transactional)))
                            .then(withoutContext(
                                    insert(bound, "c").then(this.<Long>fail()).as(bound.unitOfWork()::transactional)))
                            .onErrorResume(e -> withoutContext(insert(bound, "d")));
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a", "b", "d");
        assertThat(units.count("began")).isOne();
    }

    static <T> Mono<T> withoutContext(Mono<T> source) {
        return source.contextWrite(context -> reactor.util.context.Context.empty());
    }

    @Test
    void statementWithoutContextIsRejectedDuringSavepoint() {
        StepVerifier.create(unit().execute(work ->
                        work.savepoint(inner -> insert(inner, "a").then(withoutContext(insert(work, "b"))))))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .hasMessageContaining("Use the Work that the savepoint's body was given"))
                .verify(LONG);
    }

    /* Hooks */

    @Test
    void hooksRunInOrderAroundCommit() {
        List<String> order = new CopyOnWriteArrayList<>();

        StepVerifier.create(unit().execute(work -> {
                            work.afterRollback(note(order, "rolled back"));
                            work.beforeCommit(insert(work, "before").then(note(order, "before 1")));
                            work.beforeCommit(note(order, "before 2"));
                            work.afterCommit(note(order, "after 1"));
                            work.afterCommit(Mono.<Void>fromRunnable(() -> order.add(items() + " " + borrowed()))
                                    .subscribeOn(Schedulers.boundedElastic()));
                            return insert(work, "a");
                        })
                        .doOnNext(value -> order.add("value")))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(order).containsExactly("before 1", "before 2", "after 1", "[a, before] 0", "value");
    }

    static Mono<Void> note(List<String> order, String what) {
        return Mono.fromRunnable(() -> order.add(what));
    }

    @Test
    void failingBeforeCommitHookRollsBack() {
        List<String> order = new CopyOnWriteArrayList<>();

        StepVerifier.create(unit().execute(work -> {
                    work.beforeCommit(fail());
                    work.afterCommit(note(order, "committed"));
                    work.afterRollback(note(order, "rolled back"));
                    return insert(work, "a");
                }))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(order).containsExactly("rolled back");
    }

    @Test
    void beforeCommitHookRunsForFailedBodyThatCommits() {
        Mono<Long> failing = unit().rollbackOn(e -> false).execute(work -> {
            work.beforeCommit(insert(work, "before").then());
            return insert(work, "a").then(fail());
        });

        StepVerifier.create(failing)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).containsExactly("a", "before");
    }

    @Test
    void failingBeforeCommitHookRollsBackRegardlessOfRollbackOn() {
        IllegalStateException ofHook = new IllegalStateException("hook");
        Mono<Long> failing = unit().rollbackOn(e -> false).execute(work -> {
            work.beforeCommit(Mono.error(ofHook));
            return insert(work, "a").then(fail());
        });

        StepVerifier.create(failing)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(ofHook).hasSuppressedException(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void failingAfterCommitHookIsReportedToListenerOnly() {
        List<String> order = new CopyOnWriteArrayList<>();

        StepVerifier.create(unit().execute(work -> {
                    work.afterCommit(fail());
                    work.afterCommit(note(order, "second"));
                    return insert(work, "a");
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(order).containsExactly("second");
        assertThat(units.events()).containsExactly("began", "committed", "hook failed");
    }

    @Test
    void joinedHooksWaitForOwnerAndRolledBackHooksAreDropped() {
        List<String> order = new CopyOnWriteArrayList<>();
        UnitOfWork nested = unit().propagation(Propagation.NESTED);

        StepVerifier.create(unit().execute(work -> unit().execute(joined -> {
                            joined.afterCommit(note(order, "joined"));
                            return insert(joined, "a");
                        })
                        .then(nested.execute(kept -> {
                            kept.afterCommit(note(order, "kept"));
                            return insert(kept, "b");
                        }))
                        .then(nested.execute(dropped -> {
                            dropped.afterCommit(note(order, "dropped"));
                            dropped.afterRollback(note(order, "dropped, too"));
                            return insert(dropped, "c").then(this.<Long>fail());
                        }))
                        .onErrorResume(e -> {
                            order.add("body over");
                            return Mono.just(1L);
                        })))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(order).containsExactly("body over", "joined", "kept");
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void savepointRunsBeforeCommitHooksAndDefersOthersToOuterUnit() {
        List<String> order = new CopyOnWriteArrayList<>();
        UnitOfWork hooked = unit().propagation(Propagation.NESTED);
        Mono<Long> kept = hooked.execute(inner -> {
            inner.beforeCommit(insert(inner, "before").then(note(order, "before")));
            inner.afterCommit(note(order, "committed"));
            inner.afterRollback(note(order, "rolled back"));
            return insert(inner, "a").doOnSuccess(value -> order.add("inner over"));
        });

        StepVerifier.create(unit().execute(work -> kept.doOnSuccess(value -> order.add("kept"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(unit().execute(work -> kept.then(this.<Long>fail())))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(order)
                .containsExactly("inner over", "before", "kept", "committed", "inner over", "before", "rolled back");
        assertThat(items()).containsExactly("a", "before");
    }

    @Test
    void onBeginRunsOncePerTransactionBeforeFirstStatement() {
        UnitOfWork prepared = unit().onBegin(work -> insert(work, "set-up"));

        StepVerifier.create(prepared.execute(work -> insert(work, "a")
                        .then(insert("b").as(prepared::transactional))
                        .then(work.savepoint(inner -> insert(inner, "c")))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("set-up", "a", "b", "c");
    }

    @Test
    void failedOnBeginPreventsStatements() {
        UnitOfWork broken = unit().onBegin(work -> insert(work, "set-up").then(fail()));

        StepVerifier.create(broken.execute(work -> insert(work, "a").onErrorResume(e -> insert(work, "b"))))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(units.events()).containsExactly("began", "rolled back", "began", "rolled back");
    }

    /* Settings */

    @Test
    void joinedUnitRejectsOtherIsolation() {
        UnitOfWork serializable = unit().isolation(io.r2dbc.spi.IsolationLevel.SERIALIZABLE);

        StepVerifier.create(unit().execute(work -> insert("a").as(serializable::transactional)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .message()
                        .contains("SERIALIZABLE", "REQUIRES_NEW"))
                .verify(LONG);
    }
}
