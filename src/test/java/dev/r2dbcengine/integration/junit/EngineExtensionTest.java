package dev.r2dbcengine.integration.junit;

import static dev.r2dbcengine.integration.junit.EngineExtensionContract.failures;
import static dev.r2dbcengine.integration.junit.EngineExtensionContract.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.work.Propagation;
import dev.r2dbcengine.work.UnitOfWork;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import reactor.core.publisher.Mono;

/** The extension on H2, tested by running test classes in the JUnit test kit. */
class EngineExtensionTest {

    @ExtendWith(EngineExtension.class)
    static class PlainCase {
        @Test
        void isMigratedFromClassPath(Engine engine) {
            Items.completes(
                    engine.sql("select count(*) from orders").map(Long.class).one());
        }
    }

    @Test
    void defaultMigrationsAreOnClassPath() {
        assertThat(failures(run(false, PlainCase.class))).isEmpty();
    }

    @TestMethodOrder(OrderAnnotation.class)
    static class CommittedCase implements On.H2 {
        @Test
        @Order(1)
        @Commit
        void isKept(Engine engine, UnitOfWork unitOfWork) {
            Items.completes(unitOfWork.execute(work -> Items.insert(engine, "kept")));
        }

        @Test
        @Order(2)
        void isUndone(Engine engine) {
            Items.inserted(engine, "undone");
        }

        @Test
        @Order(3)
        void seesWhatWasKept(Engine engine) {
            Items.are(engine, "kept");
        }
    }

    @Commit
    @TestMethodOrder(OrderAnnotation.class)
    static class CommittedClassCase implements On.H2 {
        @Test
        @Order(1)
        void isKept(Engine engine) {
            Items.inserted(engine, "kept");
        }

        @Test
        @Order(2)
        void seesIt(Engine engine) {
            Items.are(engine, "kept");
        }

        @Nested
        class Within {
            @Test
            void seesItToo(Engine engine) {
                Items.are(engine, "kept");
            }
        }
    }

    @Test
    void commitKeepsChangesForClass() {
        assertThat(failures(run(false, CommittedCase.class, CommittedClassCase.class)))
                .isEmpty();
    }

    @TestMethodOrder(OrderAnnotation.class)
    static class OtherConnectionsCase implements On.H2 {
        @Test
        @Order(1)
        void usesAnotherConnection(Engine engine, ReactiveEngineCache engines) {
            Items.inserted(engine, "undone");
            UnitOfWork alone = engine.unitOfWork().propagation(Propagation.REQUIRES_NEW);
            Items.completes(alone.execute(
                    work -> work.sql("insert into item values ('alone')").update()));
            assertThat(engines.engines()).hasSize(1);
        }

        @Test
        @Order(2)
        void seesCommitOfOtherConnection(Engine engine) {
            Items.are(engine, "alone");
        }
    }

    @Test
    void requiresNewUnitIsNotRolledBack() {
        assertThat(failures(run(false, OtherConnectionsCase.class))).isEmpty();
    }

    @TestInstance(Lifecycle.PER_CLASS)
    static class OneInstanceCase implements On.H2 {
        @BeforeAll
        void insertsForAllTests(Engine engine) {
            Items.inserted(engine, "all");
        }

        @Test
        void isUndone(Engine engine) {
            Items.inserted(engine, "test");
        }

        @Test
        void isUndoneToo(Engine engine) {
            Items.inserted(engine, "test");
            Items.are(engine, "all", "test");
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    static class OneEngineForAllCase implements On.H2 {
        OneEngineForAllCase(Engine engine) {
            assertThat(engine).isNotNull();
        }

        @Test
        void isNotCalled() {
            throw new AssertionError();
        }
    }

    @Test
    void perClassInstanceGetsEngineInEachTest() {
        assertThat(failures(run(false, OneInstanceCase.class))).isEmpty();
        assertThat(failures(run(false, OneEngineForAllCase.class)))
                .singleElement()
                .asString()
                .contains("would not be undone", "@Commit");
    }

    /** Inserts the name of its class into the database of the class. */
    abstract static class Named {
        @BeforeAll
        static void insertsItsName(Engine engine, TestInfo test) {
            Items.completes(engine.sql("insert into orders(customer) values (:name)")
                    .bind("name", test.getTestClass().orElseThrow().getSimpleName())
                    .update());
        }

        static void assertNames(Engine engine, String... names) {
            assertThat(engine.sql("select customer from orders order by customer")
                            .map(String.class)
                            .all()
                            .collectList()
                            .block(Duration.ofSeconds(10)))
                    .containsExactly(names);
        }
    }

    /** Finds only its own name. */
    abstract static class OwnName extends Named {
        @Test
        void findsOwnName(Engine engine, TestInfo test) {
            assertNames(engine, test.getTestClass().orElseThrow().getSimpleName());
        }
    }

    static class SiblingsCase {
        @Nested
        @ExtendWith(EngineExtension.class)
        class First extends OwnName {
            @Nested
            class Inherits {
                @Test
                void findsNameOfEnclosingClass(Engine engine, ReactiveEngineCache engines) {
                    Named.assertNames(engine, "First");
                    assertThat(engines.engines()).hasSize(1);
                }

                @Nested
                @ExtendWith(EngineExtension.class)
                class DeclaresItAgain extends OwnName {}

                @Nested
                class RegistersAnother extends Named {
                    @RegisterExtension
                    static final EngineExtension OWN = EngineExtension.inMemory();

                    @Test
                    void findsOwnName(Engine engine, UnitOfWork unitOfWork) {
                        Named.assertNames(engine, "RegistersAnother");
                        Items.completes(unitOfWork.execute(
                                work -> work.sql("delete from orders").update()));
                        Named.assertNames(engine);
                    }

                    @Nested
                    class InheritsIt {
                        @Test
                        void findsNameOfEnclosingClass(Engine engine) {
                            Named.assertNames(engine, "RegistersAnother");
                        }
                    }
                }
            }
        }

        @Nested
        @ExtendWith(EngineExtension.class)
        class Second extends OwnName {}

        @Nested
        class FromInterface implements On.H2 {
            @Test
            void usesItsMigrations(Engine engine) {
                Items.are(engine);
                Items.inserted(engine, "x");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nestedClassThatDeclaresTheExtensionHasItsOwnDatabase(boolean parallel) {
        EngineExecutionResults results = run(parallel, SiblingsCase.class);

        assertThat(failures(results)).isEmpty();
        results.testEvents().assertStatistics(tests -> tests.succeeded(7));
    }

    static class TwoOnOneClassCase implements On.H2 {
        @RegisterExtension
        static final EngineExtension OTHER = EngineExtension.inMemory();

        @Test
        void isNotCalled(Engine engine) {
            throw new AssertionError(engine);
        }
    }

    @Test
    void twoExtensionsOfOneClassAreRejected() {
        assertThat(failures(run(false, TwoOnOneClassCase.class)))
                .singleElement()
                .asString()
                .contains("multiple competing ParameterResolvers");
    }

    static class OnAnotherServerCase {
        @RegisterExtension
        static final EngineExtension DATABASE = EngineExtension.on(() -> "r2dbc:h2:mem:///server");

        @Test
        void isNotCalled() {
            throw new AssertionError();
        }
    }

    @Test
    void unsupportedServerIsRejected() {
        assertThat(failures(run(false, OnAnotherServerCase.class)))
                .singleElement()
                .asString()
                .contains("cannot create databases on H2", "in memory");
    }

    @Test
    void awaitTimesOut() {
        assertThatThrownBy(() -> Await.value("The rollback of it", Mono.never(), Duration.ofNanos(1)))
                .hasMessageContaining("The rollback of it did not complete within PT0.000000001S");
    }
}
