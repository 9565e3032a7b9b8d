package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.work.UnitOfWork;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * JUnit extension that creates and migrates a database for each test class and rolls back the changes of each test.
 *
 * <pre>{@code
 * @ExtendWith(EngineExtension.class)
 * class OrderTest {
 *     @Test
 *     void anOrderIsStored(Engine engine) {
 *         StepVerifier.create(new Orders(engine).place("Ada")).expectNextCount(1).verifyComplete();
 *     }
 * }
 * }</pre>
 *
 * <p><b>The database</b> is in memory (H2) or on a {@linkplain #on server}. It is created and migrated before the first
 * test of a class and its nested classes, and dropped after the last one, whether the tests fail or not. A nested class
 * that declares the extension itself, with {@code @ExtendWith} or {@code @RegisterExtension}, gets its own database.
 * Databases are never shared between classes, so test classes can run in parallel. If a migration fails, the class
 * fails with its error. If a test does not release a connection, the class fails after 5 seconds; the database is
 * dropped anyway.
 *
 * <p><b>Parameters</b> of test methods, lifecycle methods and constructors: {@link Engine}, {@link UnitOfWork}, {@link
 * ReactiveEngineCache}.
 *
 * <p><b>Each test</b> gets an {@code Engine} and a {@code UnitOfWork} that are bound to one transaction, which is
 * rolled back after the {@code @AfterEach} methods, even if the test fails. The binding needs no Reactor Context, so it
 * also works with {@code StepVerifier} and {@code block()}. A unit of work of the test is a savepoint: it commits,
 * fails and is cancelled as usual, but its changes are rolled back with the test, and its {@code afterRollback} actions
 * run instead of its {@code afterCommit} actions. An open row stream is terminated. Parallel tests of one class do not
 * see each other's rows, but wait for each other's locks.
 *
 * <ul>
 *   <li>The units of work of one test must run sequentially. A unit that is subscribed while another is open, outside
 *       of its body, fails, since without a Context it could not be assigned to either.
 *   <li>{@code Propagation.REQUIRES_NEW}, the {@code ReactiveEngineCache} and {@code openConnection()} use other
 *       connections: their commits are not rolled back, and they do not see the changes of the test. Annotate a test of
 *       such code with {@link Commit} and clean up in the test.
 *   <li>DDL that commits implicitly (H2, MariaDB) is not rolled back, nor are the earlier changes of the test.
 *   <li>On PostgreSQL, a failed statement aborts the transaction. To continue after an expected error, run the
 *       statement in a unit of work, which is rolled back to its savepoint.
 *   <li>Changes in {@code @BeforeAll} are visible to all tests of the class. With {@code Lifecycle.PER_CLASS}, an
 *       {@code Engine} as constructor parameter is rejected, since its changes would not be rolled back either.
 * </ul>
 *
 * <p>Immutable and thread-safe; test classes can share an instance.
 */
public final class EngineExtension
        implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(EngineExtension.class);
    private static final Set<Class<?>> PARAMETERS = Set.of(Engine.class, UnitOfWork.class, ReactiveEngineCache.class);

    /** A value that the store of a context closes. */
    interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    private final @Nullable Supplier<String> server;
    private final UnaryOperator<MigrationRunner> migrations;

    /** Creates an extension with in-memory databases and the migrations of {@code classpath:db/migration}. */
    public EngineExtension() {
        this(null, UnaryOperator.identity());
    }

    private EngineExtension(@Nullable Supplier<String> server, UnaryOperator<MigrationRunner> migrations) {
        this.server = server;
        this.migrations = migrations;
    }

    /**
     * Returns an extension with in-memory databases, as {@link #EngineExtension()} does.
     *
     * @return an extension for {@code @RegisterExtension} on a static field
     */
    public static EngineExtension inMemory() {
        return new EngineExtension();
    }

    /**
     * Returns an extension with databases on a server: PostgreSQL 13 or newer, MariaDB, MySQL. They are named {@code
     * r2dbc_engine_test_…}; if the JVM is killed, they are not dropped.
     *
     * @param url supplies the URL of an existing database, with a user who may create databases; called before the
     *     first test of a class, so it can start the server
     * @return an extension for {@code @RegisterExtension} on a static field
     */
    public static EngineExtension on(Supplier<String> url) {
        return new EngineExtension(Objects.requireNonNull(url, "url"), UnaryOperator.identity());
    }

    /**
     * Customizes the migrations.
     *
     * @param change such as {@code runner -> runner.locations("classpath:shop")}
     * @return an extension with these migrations
     */
    public EngineExtension migrations(UnaryOperator<MigrationRunner> change) {
        return new EngineExtension(server, runner -> change.apply(migrations.apply(runner)));
    }

    /** Creates the database, unless the class uses that of its enclosing class. */
    @Override
    public void beforeAll(ExtensionContext context) {
        OwnDatabase known = found(context);
        if (known == null || (isDeclaredBy(context) && !known.scope().equals(context.getUniqueId()))) {
            create(context);
        }
    }

    /** Rolls the test back. */
    @Override
    public void afterEach(ExtensionContext context) {
        close(context.getStore(NAMESPACE).remove(TestUnit.class, TestUnit.class));
    }

    /** Drops the database after the class that created it. */
    @Override
    public void afterAll(ExtensionContext context) {
        close(context.getStore(NAMESPACE).remove(this, OwnDatabase.class));
    }

    /** Closes a value explicitly: when the store closes it, JUnit hides its exception. */
    private static void close(@Nullable Closing closing) {
        if (closing != null) {
            closing.close();
        }
    }

    /** Lets constructors of test classes use the context of the test, except with one instance for all tests. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    /** Supports the three types, unless an inner class has its own extension and resolves them there. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        OwnDatabase own = found(context);
        return PARAMETERS.contains(parameter.getParameter().getType())
                && (own == null
                        || own.scope().equals(context.getStore(NAMESPACE).get(OwnDatabase.class)));
    }

    /** Resolves a parameter to the objects of the test, or of the class outside of a test. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == ReactiveEngineCache.class) {
            return database(context).engines();
        }
        Engine engine = commits(context) ? database(context).engine() : bound(parameter, context);
        return type == Engine.class ? engine : engine.unitOfWork();
    }

    private Engine bound(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return context.getStore(NAMESPACE)
                    .getOrComputeIfAbsent(
                            TestUnit.class,
                            key -> new TestUnit(database(context).engine(), context.getDisplayName()),
                            TestUnit.class)
                    .engine();
        }
        if (parameter.getDeclaringExecutable() instanceof Constructor<?>) {
            throw new ParameterResolutionException("Changes that the constructor of " + context.getDisplayName()
                    + " makes with an Engine would not be undone, since all its tests share one instance. Take the"
                    + " Engine as a parameter of the tests or of @BeforeEach, or annotate the class with @Commit");
        }
        return database(context).engine();
    }

    private OwnDatabase database(ExtensionContext context) {
        OwnDatabase known = found(context);
        return known == null ? create(context) : known;
    }

    /* A store also searches the enclosing contexts, so a nested class finds the database of its enclosing class. */
    private @Nullable OwnDatabase found(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(this, OwnDatabase.class);
    }

    private OwnDatabase create(ExtensionContext context) {
        OwnDatabase created = OwnDatabase.open(
                context.getDisplayName(),
                context.getUniqueId(),
                server == null ? null : new ServerDatabases(server.get()),
                migrations);
        context.getStore(NAMESPACE).put(this, created);
        context.getStore(NAMESPACE).put(OwnDatabase.class, created.scope());
        return created;
    }

    /* JUnit uses one extension instance for a class and its nested classes, even if several declare it. */
    private static boolean isDeclaredBy(ExtensionContext context) {
        return AnnotationSupport.findRepeatableAnnotations(context.getElement(), ExtendWith.class).stream()
                .anyMatch(named -> List.of(named.value()).contains(EngineExtension.class));
    }

    private static boolean commits(ExtensionContext context) {
        return withParents(context).anyMatch(each -> AnnotationSupport.isAnnotated(each.getElement(), Commit.class));
    }

    private static Stream<ExtensionContext> withParents(ExtensionContext context) {
        return Stream.iterate(
                context, Objects::nonNull, each -> each.getParent().orElse(null));
    }
}
