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
 * Gives each test class a database of its own, migrated once, and undoes what each test does there.
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
 * <p><b>The database</b> is in memory (H2), or one on a {@linkplain #on server}; it is made and migrated before the first
 * test of a class, with its nested classes, and dropped after the last one, whether they fail or not. A nested class that
 * declares the extension itself, by {@code @ExtendWith} or {@code @RegisterExtension}, gets a database of its own. No other
 * class has it, so that classes may run at once. A migration that fails, fails the class with its own error. A connection that a test has
 * borrowed and not given back fails the class after 5 seconds, and the database is dropped all the same.
 *
 * <p><b>Parameters</b> of tests, of what runs before and after them, and of constructors: {@link Engine}, {@link
 * UnitOfWork}, {@link ReactiveEngineCache}.
 *
 * <p><b>Each test</b> gets an {@code Engine}, and units of work, that are bound to one transaction, which is rolled back
 * when the test and what runs after it are over, though it has failed. It needs no Reactor Context, so that {@code
 * StepVerifier} and {@code block()} are within it. A unit of work is a savepoint there: it commits, fails and is cancelled as it
 * is elsewhere, and what it has committed is undone with the rest; the actions after its end are those after a rollback. A
 * stream that is left open is ended. Tests of one class that run at once do not see each other's rows, but wait for each
 * other's locks.
 *
 * <ul>
 *   <li>Units of work of one test go one after the other: what is subscribed while one is open, and not within it, fails, as
 *       nobody could tell by a Context that is empty where it belongs.
 *   <li>{@code Propagation.REQUIRES_NEW}, the {@code ReactiveEngineCache} and {@code openConnection()} lead to other
 *       connections: what they commit stays, and they do not see what the test has done. A test that is about that is
 *       annotated {@link Commit}, and cleans up.
 *   <li>What DDL commits by itself (H2, MariaDB) stays, and all that the test did before it.
 *   <li>On PostgreSQL a statement that fails breaks the transaction for those after it. A test that goes on puts it into a unit
 *       of work, which is undone alone.
 *   <li>What {@code @BeforeAll} does stays for the tests of the class, as it is outside of each. So would what a class with
 *       {@code Lifecycle.PER_CLASS} does by an {@code Engine} from its constructor, which is refused.
 * </ul>
 *
 * <p>Immutable; threads and test classes may share it.
 */
public final class EngineExtension
        implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(EngineExtension.class);
    private static final Set<Class<?>> GIVEN = Set.of(Engine.class, UnitOfWork.class, ReactiveEngineCache.class);

    /** What the store of a context closes at its end. */
    interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    private final @Nullable Supplier<String> server;
    private final UnaryOperator<MigrationRunner> migrations;

    /** In memory, with the migrations of {@code classpath:db/migration}, for {@code @ExtendWith}. */
    public EngineExtension() {
        this(null, UnaryOperator.identity());
    }

    private EngineExtension(@Nullable Supplier<String> server, UnaryOperator<MigrationRunner> migrations) {
        this.server = server;
        this.migrations = migrations;
    }

    /**
     * Databases in memory, for {@code @RegisterExtension} on a static field.
     *
     * @return what {@link #EngineExtension()} gives
     */
    public static EngineExtension inMemory() {
        return new EngineExtension();
    }

    /**
     * Databases on a server: PostgreSQL 13 or newer, MariaDB, MySQL.
     *
     * @param url asked before the first test of a class, so that it may start the server: the URL of a database to make others
     *     from, by a user who may do that. They are called {@code r2dbc_engine_test_…}; those of a JVM that was killed stay
     * @return an extension for {@code @RegisterExtension} on a static field
     */
    public static EngineExtension on(Supplier<String> url) {
        return new EngineExtension(Objects.requireNonNull(url, "url"), UnaryOperator.identity());
    }

    /**
     * Changes how databases are migrated.
     *
     * @param change such as {@code runner -> runner.locations("classpath:shop")}
     * @return an extension that does so
     */
    public EngineExtension migrations(UnaryOperator<MigrationRunner> change) {
        return new EngineExtension(server, runner -> change.apply(migrations.apply(runner)));
    }

    /** Makes the database, unless the class has that of a class around it. */
    @Override
    public void beforeAll(ExtensionContext context) {
        OwnDatabase known = found(context);
        if (known == null || (isNamedBy(context) && !known.scope().equals(context.getUniqueId()))) {
            make(context);
        }
    }

    /** Rolls the test back. */
    @Override
    public void afterEach(ExtensionContext context) {
        close(context.getStore(OURS).remove(TestUnit.class, TestUnit.class));
    }

    /** Drops the database, after the last class that has it. */
    @Override
    public void afterAll(ExtensionContext context) {
        close(context.getStore(OURS).remove(this, OwnDatabase.class));
    }

    /** JUnit does so by itself, where these are not called; but it hides what they have to say. */
    private static void close(@Nullable Closing closing) {
        if (closing != null) {
            closing.close();
        }
    }

    /** A constructor is called for a test, unless the class has one instance for all. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    /** Whether it is of one of the three types, and no class further in has an extension of its own. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        OwnDatabase mine = found(context);
        return GIVEN.contains(parameter.getParameter().getType())
                && (mine == null || mine.scope().equals(context.getStore(OURS).get(OwnDatabase.class)));
    }

    /** Of the test, or of the class where there is none. */
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
            return context.getStore(OURS)
                    .getOrComputeIfAbsent(
                            TestUnit.class,
                            key -> new TestUnit(database(context).engine(), context.getDisplayName()),
                            TestUnit.class)
                    .engine();
        }
        if (parameter.getDeclaringExecutable() instanceof Constructor<?>) {
            throw new ParameterResolutionException("What " + context.getDisplayName()
                    + " does with an Engine from its constructor would not be undone, since"
                    + " all its tests share one instance. Take it as a parameter of the tests or of @BeforeEach, or"
                    + " annotate the class with @Commit");
        }
        return database(context).engine();
    }

    private OwnDatabase database(ExtensionContext context) {
        OwnDatabase known = found(context);
        return known == null ? make(context) : known;
    }

    /* A store finds what the contexts around it hold: a nested class without a database of its own has that of its class. */
    private @Nullable OwnDatabase found(ExtensionContext context) {
        return context.getStore(OURS).get(this, OwnDatabase.class);
    }

    private OwnDatabase make(ExtensionContext context) {
        OwnDatabase made = OwnDatabase.open(
                context.getDisplayName(),
                context.getUniqueId(),
                server == null ? null : new ServerDatabases(server.get()),
                migrations);
        context.getStore(OURS).put(this, made);
        context.getStore(OURS).put(OwnDatabase.class, made.scope());
        return made;
    }

    /* JUnit has one instance of the extension for a class and its nested classes, though several name it. */
    private static boolean isNamedBy(ExtensionContext context) {
        return AnnotationSupport.findRepeatableAnnotations(context.getElement(), ExtendWith.class).stream()
                .anyMatch(named -> List.of(named.value()).contains(EngineExtension.class));
    }

    private static boolean commits(ExtensionContext context) {
        return around(context).anyMatch(each -> AnnotationSupport.isAnnotated(each.getElement(), Commit.class));
    }

    private static Stream<ExtensionContext> around(ExtensionContext context) {
        return Stream.iterate(
                context, Objects::nonNull, each -> each.getParent().orElse(null));
    }
}
