package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.work.UnitOfWork;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/**
 * A test class whose tests change the database in all ways, one of them failing; each starts with the migrated database
 * only.
 */
abstract class RolledBackCase {
    private final Engine constructorEngine;

    RolledBackCase(Engine constructorEngine) {
        this.constructorEngine = constructorEngine;
    }

    @BeforeEach
    void startsWithoutRows(Engine engine) {
        Items.are(engine);
        Items.inserted(engine, "before");
    }

    @AfterEach
    void afterEachSharesTransaction(Engine engine, TestInfo test) {
        if (!test.getTags().contains("endless")) {
            Items.inserted(engine, "zzz after");
        }
    }

    @AfterAll
    static void endsWithoutRows(Engine engine) {
        Items.are(engine);
    }

    @RepeatedTest(2)
    void insertsCommitsAndCancels(Engine engine, UnitOfWork unitOfWork) {
        Items.inserted(engine, "plain");
        Items.completes(unitOfWork.execute(work -> Items.insert(engine, "committed")));
        cancelled(engine);
        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> Items.insert(engine, "failed")
                                .then(Mono.error(new IllegalStateException("on purpose")))))
                .verifyErrorMessage("on purpose");

        Items.are(engine, "before", "committed", "plain");
    }

    private static void cancelled(Engine engine) {
        Sinks.Empty<Void> inserted = Sinks.empty();
        Disposable unit = engine.unitOfWork()
                .execute(work -> Items.insert(engine, "cancelled")
                        .doOnSuccess(count -> inserted.tryEmitEmpty())
                        .then(Mono.never()))
                .subscribe();
        Items.completes(inserted.asMono());
        unit.dispose();
    }

    @Test
    void usesEngineOfConstructor(Engine engine) {
        Items.inserted(constructorEngine, "given");

        Items.are(engine, "before", "given");
    }

    @Test
    void leavesStreamOpen(Engine engine) {
        Items.inserted(engine, "second");
        engine.sql("select name from item").map(String.class).all().subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(1);
            }
        });
    }

    @Test
    @Tag("endless")
    void leavesUnitRunning(Engine engine) {
        engine.unitOfWork()
                .execute(work -> Items.insert(engine, "endless").then(Mono.never()))
                .subscribe();
    }

    @Test
    void fails(Engine engine) {
        Items.inserted(engine, "failing");
        throw new AssertionError("on purpose");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "one"})
    void isCalledAgain(String name, Engine engine) {
        Items.inserted(engine, name);
    }

    @Nested
    class Within {
        @Test
        void seesTheSameDatabase(Engine engine) {
            Items.inserted(engine, "nested");
            Items.are(engine, "before", "nested");
        }
    }
}
