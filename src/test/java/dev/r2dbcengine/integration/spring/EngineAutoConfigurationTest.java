package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.EngineStatus;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.ResolvedMigration;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Option;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcInitializationAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class EngineAutoConfigurationTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ApplicationContextRunner withoutUrl = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EngineAutoConfiguration.class,
                    MigrationAutoConfiguration.class,
                    EngineHealthAutoConfiguration.class,
                    MigrationsEndpointAutoConfiguration.class,
                    R2dbcAutoConfiguration.class,
                    R2dbcInitializationAutoConfiguration.class,
                    R2dbcTransactionManagerAutoConfiguration.class,
                    DataR2dbcAutoConfiguration.class));
    private final ApplicationContextRunner application = withoutUrl.withPropertyValues("r2dbc-engine.url=" + url());

    private static String url() {
        return "r2dbc:h2:mem:///" + UUID.randomUUID();
    }

    private static long orders(ApplicationContext context) {
        return orders(context.getBean(Engine.class));
    }

    private static long orders(Engine engine) {
        return Objects.requireNonNull(
                engine.sql("select count(*) from orders").map(Long.class).one().block(LONG));
    }

    private static String mode(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(Engine.class)
                .sql("select SETTING_VALUE from INFORMATION_SCHEMA.SETTINGS where SETTING_NAME = 'MODE'")
                .map(String.class)
                .one()
                .block(LONG));
    }

    @Test
    void customizersOfOptionsReachDriver() {
        ConnectionFactoryOptionsBuilderCustomizer customizer =
                options -> options.option(Option.valueOf("options"), "MODE=MariaDB");

        for (String property : List.of("r2dbc-engine.url=", "spring.r2dbc.url=")) {
            withoutUrl
                    .withPropertyValues(property + url())
                    .withBean(ConnectionFactoryOptionsBuilderCustomizer.class, () -> customizer)
                    .run(context -> assertThat(mode(context)).isEqualTo("MariaDB"));
        }
    }

    @Test
    void decoratorsOfFactoryApplyInOrder() {
        List<String> decorated = new CopyOnWriteArrayList<>();

        application
                .withBean("second", Decorator.class, () -> new Decorator(2, decorated))
                .withBean("first", Decorator.class, () -> new Decorator(1, decorated))
                .run(context -> {
                    assertThat(orders(context)).isZero();
                    assertThat(decorated).containsExactly("1", "2");
                });
    }

    private record Decorator(int getOrder, List<String> decorated) implements ConnectionFactoryDecorator, Ordered {

        @Override
        public ConnectionFactory decorate(ConnectionFactory delegate) {
            decorated.add(String.valueOf(getOrder));
            return delegate;
        }
    }

    @Test
    void transactionManagerHasNameOfSpringBoot() {
        application.run(context -> assertThat(context)
                .getBean("connectionFactoryTransactionManager")
                .isInstanceOf(EngineTransactionManager.class));
    }

    @Test
    void failureToOpenIsExplained() {
        withoutUrl
                .withPropertyValues("r2dbc-engine.url=r2dbc:postgresql://ada:s3cret@127.0.0.1:1/shop")
                .run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());

                    assertThat(analysis.getDescription())
                            .startsWith("Cannot open r2dbc:postgresql://ada@127.0.0.1:1/shop: ")
                            .contains("could not be reached");
                    assertThat(analysis.getAction())
                            .contains("r2dbc-engine.url")
                            .doesNotContain("s3cret");
                });
    }

    private static FailureAnalysis analysis(@Nullable Throwable failure) {
        return Objects.requireNonNull(new EngineFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
    }

    @Test
    void otherFailureIsNotExplained() {
        assertThat(new EngineFailureAnalyzer().analyze(new IllegalStateException(new RuntimeException("other"))))
                .isNull();
    }

    @Test
    void urlSuffices() {
        application.run(context -> {
            assertThat(orders(context)).isZero();
            assertThat(context).hasSingleBean(ReactiveEngineCache.class);
            assertThat(context).hasSingleBean(UnitOfWork.class);
            assertThat(context).hasSingleBean(MigrationRunner.class);
            assertThat(context).hasSingleBean(DatabaseClient.class);
            assertThat(context).doesNotHaveBean(ConnectionPool.class);
            assertThat(context.getBean(ConnectionFactory.class))
                    .isEqualTo(context.getBean(Engine.class).connectionFactory());
            assertThat(context.getBean(ReactiveTransactionManager.class)).isInstanceOf(EngineTransactionManager.class);
        });
    }

    private static EngineStatus status(ApplicationContext context) {
        context.getBean(Engine.class).open().block(LONG);
        return context.getBean(ReactiveEngineCache.class).engines().get(0);
    }

    @Test
    void springBootPropertiesAreUsed() {
        String url = url();
        withoutUrl
                .withPropertyValues(
                        "spring.r2dbc.url=" + url,
                        "spring.r2dbc.username=ada",
                        "spring.r2dbc.pool.max-size=3",
                        "spring.r2dbc.pool.max-acquire-time=-1ms")
                .run(context -> {
                    assertThat(orders(context)).isZero();
                    assertThat(status(context).connections().maxSize()).isEqualTo(3);
                    assertThat(user(context)).isEqualTo("ADA");
                });
    }

    private static String user(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(Engine.class)
                .sql("select current_user")
                .map(String.class)
                .one()
                .block(LONG));
    }

    @Test
    void ownPropertiesOverrideSpringBootProperties() {
        withoutUrl
                .withPropertyValues(
                        "spring.r2dbc.url=r2dbc:postgresql://nowhere/shop",
                        "spring.r2dbc.pool.max-size=3",
                        "r2dbc-engine.url=" + url(),
                        "r2dbc-engine.username=grace",
                        "r2dbc-engine.password=secret",
                        "r2dbc-engine.pool.max-size=5")
                .run(context -> {
                    assertThat(status(context).connections().maxSize()).isEqualTo(5);
                    assertThat(user(context)).isEqualTo("GRACE");
                    assertThat(context.getBean(R2dbcEngineProperties.class).toString())
                            .doesNotContain("secret");
                });
    }

    @Test
    void loginInUrlOverridesProperties() {
        withoutUrl
                .withPropertyValues(
                        "r2dbc-engine.url=r2dbc:h2:mem://ada:pw@localhost/" + UUID.randomUUID(),
                        "r2dbc-engine.username=grace",
                        "r2dbc-engine.password=secret")
                .run(context -> assertThat(user(context)).isEqualTo("ADA"));
    }

    @Test
    void noUrlLeavesSpringBootConfiguration() {
        withoutUrl.run(context -> {
            assertThat(context).doesNotHaveBean(Engine.class).doesNotHaveBean(MigrationRunner.class);
            assertThat(context).hasSingleBean(ConnectionPool.class);
            assertThat(context).hasSingleBean(R2dbcTransactionManager.class);
        });
    }

    @Test
    void missingSpringR2dbcDisablesConfiguration() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(EngineAutoConfiguration.class, MigrationAutoConfiguration.class))
                .withPropertyValues("r2dbc-engine.url=" + url())
                .withClassLoader(new FilteredClassLoader("org.springframework.r2dbc"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveEngineCache.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {
        @Bean
        ReactiveEngineCache ownCache() {
            return ReactiveEngineCache.builder()
                    .boundConnections(new SpringTransactions())
                    .build();
        }

        @Bean
        Engine ownEngine(ReactiveEngineCache cache) {
            return cache.engine(url());
        }

        @Bean
        UnitOfWork ownUnits(Engine engine) {
            return engine.unitOfWork().name("own");
        }

        @Bean
        MigrationRunner ownRunner(Engine engine) {
            return MigrationRunner.on(engine).table("own");
        }

        @Bean
        R2dbcTransactionManager ownManager(ConnectionFactory factory) {
            return new R2dbcTransactionManager(factory);
        }
    }

    @Test
    void applicationBeansReplaceDefaults() {
        withoutUrl.withUserConfiguration(OwnBeans.class).run(context -> {
            for (Class<?> type :
                    List.of(ReactiveEngineCache.class, Engine.class, UnitOfWork.class, MigrationRunner.class)) {
                assertThat(context).hasSingleBean(type);
                assertThat(context.getBeanNamesForType(type)[0]).startsWith("own");
            }
            assertThat(context).hasSingleBean(ReactiveTransactionManager.class).hasBean("ownManager");
            assertThat(orders(context)).isZero();
            StepVerifier.create(context.getBean(Engine.class)
                            .sql("select count(*) from \"own\"")
                            .map(Long.class)
                            .one())
                    .expectNext(2L)
                    .expectComplete()
                    .verify(LONG);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine {
        @Bean
        Engine ownEngine(ReactiveEngineCache cache) {
            return cache.engine(url());
        }
    }

    @Test
    void applicationEngineIsMigrated() {
        withoutUrl
                .withUserConfiguration(OwnEngine.class)
                .run(context -> assertThat(orders(context)).isZero());
    }

    /** Beans that read a migrated table while they are created. */
    @Configuration(proxyBeanMethods = false)
    static class Users {
        @Bean
        Long engineOrders(Engine engine) {
            return orders(engine);
        }

        @Bean
        Long unitOrders(UnitOfWork units) {
            return Objects.requireNonNull(units.execute(work -> work.sql("select count(*) from orders")
                            .map(Long.class)
                            .one())
                    .block(LONG));
        }

        @Bean
        Long springOrders(DatabaseClient client) {
            return Objects.requireNonNull(client.sql("select count(*) from orders")
                    .mapValue(Long.class)
                    .one()
                    .block(LONG));
        }
    }

    @Test
    void migrationsRunBeforeBeansThatUseDatabase() {
        application
                .withUserConfiguration(Users.class)
                .run(context -> assertThat(context.getBeansOfType(Long.class))
                        .containsOnlyKeys("engineOrders", "unitOrders", "springOrders"));
    }

    @Test
    void springBootScriptsRunAfterMigrations(@TempDir Path directory) throws Exception {
        Path data = Files.writeString(directory.resolve("data.sql"), "insert into orders (customer) values ('Ada');");

        application
                .withPropertyValues("spring.sql.init.mode=always", "spring.sql.init.data-locations=file:" + data)
                .run(context -> assertThat(orders(context)).isOne());
    }

    @Test
    void migrationsAreLogged(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("V1__a.sql"), "create table a (n int)");
        Files.writeString(directory.resolve("V2__b.sql"), "create table b (n int)");
        ApplicationContextRunner migrating = application.withPropertyValues(
                "r2dbc-engine.url=r2dbc:h2:file:///" + directory.resolve("logged"),
                "r2dbc-engine.migrate.locations=filesystem:" + directory);
        try (CapturedLogs logs = CapturedLogs.of(MigrationRunner.class)) {
            migrating.run(context -> assertThat(context).hasNotFailed());
            migrating.run(context -> assertThat(context).hasNotFailed());

            assertThat(logs.lines())
                    .containsExactly(
                            "INFO 2 migrations applied, the last one is V2__b.sql", "INFO No migration is pending");
        }
    }

    @Test
    void migrationsCanBeDisabled() {
        application.withPropertyValues("r2dbc-engine.migrate.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(MigrationRunner.class);
            context.getBean(Engine.class).ping().block(LONG);
        });
    }

    @Test
    void failedMigrationFailsStartup(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("V1__wrong.sql"), "create tabel t;");

        try (CapturedLogs logs = CapturedLogs.of("org.springframework.context")) {
            application
                    .withPropertyValues("r2dbc-engine.migrate.locations=filesystem:" + directory)
                    .run(context -> {
                        assertThat(context).getFailure().hasStackTraceContaining("V1__wrong.sql");
                        assertThat(analysis(context.getStartupFailure()).getDescription())
                                .contains("V1__wrong.sql");
                    });
            assertThat(logs.lines()).anyMatch(line -> line.startsWith("WARN Exception encountered during context"));
        }
    }

    @Test
    void migrationOptionsAreProperties(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("A1--items.ddl"), "create table #[name]# (a int);");
        Files.writeString(directory.resolve("Q--views.ddl"), "create or replace view seen as select * from items;");

        application
                .withPropertyValues(
                        "r2dbc-engine.migrate.locations=filesystem:" + directory,
                        "r2dbc-engine.migrate.sql-migration-prefix=A",
                        "r2dbc-engine.migrate.repeatable-sql-migration-prefix=Q",
                        "r2dbc-engine.migrate.sql-migration-separator=--",
                        "r2dbc-engine.migrate.sql-migration-suffixes=.ddl,.sql",
                        "r2dbc-engine.migrate.placeholder-prefix=#[",
                        "r2dbc-engine.migrate.placeholder-suffix=]#",
                        "r2dbc-engine.migrate.placeholders.name=items",
                        "r2dbc-engine.migrate.table=past",
                        "r2dbc-engine.migrate.installed-by=the application",
                        "r2dbc-engine.migrate.schemas=shop",
                        "r2dbc-engine.migrate.encoding=UTF-8",
                        "r2dbc-engine.migrate.lock=session",
                        "r2dbc-engine.migrate.lock-timeout=7s")
                .run(context -> StepVerifier.create(context.getBean(Engine.class)
                                .sql(
                                        "select distinct \"installed_by\" from \"shop\".\"past\" where \"installed_rank\" > 0")
                                .map(String.class)
                                .all())
                        .expectNext("the application")
                        .expectComplete()
                        .verify(LONG));
    }

    static final class V7__Code implements Migration {
        @Override
        public Publisher<?> migrate(Engine engine) {
            return engine.sql("insert into orders (customer) values ('code')").update();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listeners {
        static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        @Bean
        EngineListener first() {
            return new EngineListener() {
                @Override
                public void opened(String url, Duration duration) {
                    EVENTS.add("first");
                }

                @Override
                public void closed(String url) {
                    throw new IllegalStateException("does not stop other listeners");
                }
            };
        }

        @Bean
        EngineListener second() {
            return new EngineListener() {
                @Override
                public void opened(String url, Duration duration) {
                    EVENTS.add("second");
                }

                @Override
                public void closed(String url) {
                    EVENTS.add("closed");
                }
            };
        }

        @Bean
        WorkListener work() {
            return new WorkListener() {
                @Override
                public void committed(WorkExecution unit, Duration duration) {
                    EVENTS.add("committed");
                }
            };
        }

        @Bean
        SqlListener sql() {
            return new SqlListener() {
                @Override
                public void finished(SqlExecution execution, long rows, Duration duration) {
                    EVENTS.add("rows " + rows);
                }
            };
        }

        @Bean
        MigrationListener migrations() {
            return new MigrationListener() {
                @Override
                public void applied(ResolvedMigration migration, Duration duration) {
                    EVENTS.add(migration.script());
                }
            };
        }

        @Bean
        Migration code() {
            return new V7__Code();
        }

        @Bean
        EngineCacheCustomizer customizer() {
            return builder -> EVENTS.add("customized");
        }
    }

    @Test
    void listenersAndCustomizersAreCalled() {
        Listeners.EVENTS.clear();
        application.withUserConfiguration(Listeners.class).run(context -> {
            context.getBean(UnitOfWork.class)
                    .execute(work -> work.sql("insert into orders (customer) values ('Ada')")
                            .update())
                    .block(LONG);
            assertThat(Listeners.EVENTS)
                    .contains("customized", "first", "second", "V1__create_orders.sql", "rows 1", "committed")
                    .anyMatch(response -> response.endsWith("V7__Code"));
            try (CapturedLogs logs = CapturedLogs.of(ReactiveEngineCache.class)) {
                context.getBean(ReactiveEngineCache.class).close().block(LONG);
                assertThat(logs.lines()).containsExactly("WARN The engine listener failed");
            }
            assertThat(Listeners.EVENTS).endsWith("closed");
        });
    }

    /** The close depends on the acquired connection, not on time. */
    @Test
    void closeOfContextWaitsForAcquiredConnection() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        Thread[] closing = new Thread[1];
        application.run(context -> {
            Connection acquired = Objects.requireNonNull(
                    Mono.from(context.getBean(ConnectionFactory.class).create()).block(LONG));
            ReactiveEngineCache cache = context.getBean(ReactiveEngineCache.class);
            closing[0] = new Thread(() -> {
                context.getSourceApplicationContext().close();
                order.add("closed");
            });
            closing[0].start();
            while (cache.engines().get(0).state() != EngineStatus.State.CLOSING) {
                Thread.onSpinWait();
            }
            order.add("released");
            Mono.from(acquired.close()).block(LONG);
            closing[0].join(LONG.toMillis());
            assertThat(cache.engines()).isEmpty();
        });

        assertThat(order).containsExactly("released", "closed");
    }

    @Test
    void endpointListsMigrations() {
        application
                .withPropertyValues("management.endpoints.web.exposure.include=r2dbcmigrations")
                .run(context -> StepVerifier.create(
                                context.getBean(MigrationsEndpoint.class).migrations())
                        .assertNext(response -> assertThat(response.runners().get(MigrationAutoConfiguration.RUNNER))
                                .singleElement()
                                .satisfies(row -> {
                                    assertThat(row.script()).isEqualTo("V1__create_orders.sql");
                                    assertThat(row.version()).isEqualTo("1");
                                    assertThat(row.applied()).isNotNull();
                                }))
                        .expectComplete()
                        .verify(LONG));
    }

    @Test
    void runnerWorksAfterStartup() {
        application.run(context -> StepVerifier.create(
                        context.getBean(MigrationRunner.class).migrate().map(MigrationReport::applied))
                .expectNext(List.of())
                .expectComplete()
                .verify(LONG));
    }
}
