package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Page;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The connections of an engine pass each test of the SPI that the driver's own connection passes. So do those of a unit,
 * except for the tests that docs/limits.md names. Each of those must fail, so that the page stays accurate.
 */
@Tag("interoperation")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpiContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final List<String> TABLES = List.of("test", "test_two_column", "blob_test", "clob_test");

    private final TestedDriver kind;
    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private final Set<String> differences = differences();
    private TestDatabase database;
    private SingleConnectionDataSource jdbc;
    private JdbcOperations tables;
    private String url;
    private Engine engine;

    @SuppressWarnings("NullAway.Init") // before all tests
    SpiContract(TestedDriver kind) {
        this.kind = kind;
    }

    private static Set<String> differences() {
        Pattern row = Pattern.compile("(?m)^\\| `(\\w+)` \\| fails in a unit:");
        return Page.of(Path.of("docs/limits.md")).find(row).collect(Collectors.toSet());
    }

    @BeforeAll
    void open() {
        database = TestDatabase.fresh(kind.server()).keepAlive();
        url = kind.url(database.url());
        engine = engines.engine(url);
        jdbc = kind.server() == Server.H2
                ? new SingleConnectionDataSource(database.jdbcUrl(), true)
                : new SingleConnectionDataSource(database.jdbcUrl(), database.user(), database.password(), true);
        tables = new JdbcTemplate(jdbc);
        new SpiRun(kind, tables, engine.connectionFactory()).createTable();
    }

    @AfterAll
    void close() {
        jdbc.destroy();
        engines.close().block(LONG);
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> connectionPassesSpiTestsThatItsDriverPasses() {
        return SpiRun.tests().stream().map(test -> DynamicTest.dynamicTest(test.getName(), () -> compare(test)));
    }

    private void compare(Method test) {
        if (failure(test, SpiConnections.DRIVER) == null) {
            for (SpiConnections ours : EnumSet.complementOf(EnumSet.of(SpiConnections.DRIVER))) {
                Throwable failure = failure(test, ours);
                assertThat(failure != null)
                        .as("%s fails: %s", ours, failure)
                        .isEqualTo(ours.isInUnit() && differences.contains(test.getName()));
            }
        }
    }

    /* The failure of the test, or else that of the end of the unit. */
    private @Nullable Throwable failure(Method test, SpiConnections connections) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        TABLES.forEach(table -> tables.execute("delete from " + table));
        try {
            connections.use(url, engine, factory -> failure.set(new SpiRun(kind, tables, factory).run(test)));
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
        return failure.get();
    }

    @Test
    void documentedDifferencesNameExistingTests() {
        assertThat(SpiRun.tests().stream().map(Method::getName)).containsAll(differences);
        assertThat(differences).isNotEmpty();
    }
}
