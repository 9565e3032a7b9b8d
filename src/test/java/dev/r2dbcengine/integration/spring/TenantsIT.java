package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.testing.Secrets;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.UnitOfWork;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** The two ways to isolate tenants: a database for each tenant, and row-level security in one database. */
class TenantsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        EngineAutoConfiguration.class, MigrationAutoConfiguration.class, R2dbcAutoConfiguration.class));
    }

    /** An engine for each tenant, migrated before its first use; a filter writes the tenant to the Context. */
    @Configuration(proxyBeanMethods = false)
    static class DatabasePerTenant {
        @Bean
        EngineCacheCustomizer migrateEachTenant() {
            return builder -> builder.initializer(engine -> MigrationRunner.on(engine)
                    .locations("classpath:shop/migration")
                    .migrate());
        }

        /** Is not closed by Spring, which has no tenant in its Context; the cache closes the engines of all tenants. */
        @Bean(destroyMethod = "")
        Engine tenants(ReactiveEngineCache engines, String driver, Map<String, TestDatabase> databases) {
            return engines.engine(
                    driver,
                    context -> Objects.requireNonNull(databases.get(context.<String>get(Shop.TENANT)))
                            .url());
        }

        @Bean
        RouterFunction<ServerResponse> orders(UnitOfWork units) {
            return new Shop().orders(units);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void headerSelectsDatabaseOfTenant(Server server) {
        String driver = server == Server.H2 ? "h2" : "postgresql";
        try (TestDatabase ada = TestDatabase.fresh(server).keepAlive();
                TestDatabase grace = TestDatabase.fresh(server).keepAlive()) {
            application()
                    .withUserConfiguration(DatabasePerTenant.class)
                    .withPropertyValues("r2dbc-engine.migrate.enabled=false")
                    .withBean("driver", String.class, () -> driver)
                    .withBean("ada", TestDatabase.class, () -> ada, bean -> bean.setDestroyMethodName(""))
                    .withBean("grace", TestDatabase.class, () -> grace, bean -> bean.setDestroyMethodName(""))
                    .run(context -> {
                        order(context, "ada", 1);
                        order(context, "ada", 2);
                        order(context, "grace", 3);
                        assertThat(ada.query("select no from purchase order by no", Integer.class)
                                        .block(LONG))
                                .containsExactly(1, 2);
                        assertThat(grace.query("select no from purchase", Integer.class)
                                        .block(LONG))
                                .containsExactly(3);
                    });
        }
    }

    @SuppressWarnings("unchecked")
    private static void order(ApplicationContext context, String tenant, int no) {
        WebTestClient.bindToRouterFunction(context.getBean(RouterFunction.class))
                .webFilter(new Shop().tenantOfTheHeader())
                .configureClient()
                .responseTimeout(LONG)
                .build()
                .post()
                .uri("/orders/{no}", no)
                .header("X-Tenant", tenant)
                .exchange()
                .expectStatus()
                .isOk();
    }

    /**
     * Each transaction sets its tenant, Spring's transactions too, since they use the connection factory of the units.
     */
    @Configuration(proxyBeanMethods = false)
    static class RowsPerTenant {
        @Bean
        UnitOfWork units(Engine engine) {
            return engine.unitOfWork()
                    .onBegin(work ->
                            Mono.deferContextual(context -> work.sql("select set_config('shop.tenant', :tenant, true)")
                                    .bind("tenant", context.<String>get(Shop.TENANT))
                                    .map(String.class)
                                    .one()));
        }
    }

    @Test
    void rowLevelSecurityShowsOnlyRowsOfTenant() {
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            String user = "shop_" + database.name();
            database.createUser(user, Secrets.MARK + "tenant")
                    .then(database.execute(
                            "create table note (tenant text not null default current_setting('shop.tenant', true),"
                                    + " text text not null)",
                            "alter table note enable row level security",
                            "create policy own on note using (tenant = current_setting('shop.tenant', true))",
                            "grant select, insert on note to \"" + user + "\""))
                    .block(LONG);
            application()
                    .withUserConfiguration(RowsPerTenant.class)
                    .withPropertyValues(
                            "r2dbc-engine.migrate.enabled=false",
                            "r2dbc-engine.url=" + database.url(user, Secrets.MARK + "tenant"),
                            "r2dbc-engine.pool.max-size=1")
                    .run(RowsOfTenants::check);
        }
    }

    /** Uses a pool of one connection, so that a setting left on it would affect the next tenant. */
    private static final class RowsOfTenants {
        static void check(ApplicationContext context) {
            UnitOfWork units = context.getBean(UnitOfWork.class);
            TransactionalOperator spring =
                    TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
            DatabaseClient client = context.getBean(DatabaseClient.class);
            Mono<Long> insert = units.execute(
                    work -> work.sql("insert into note (text) values ('x')").update());
            Mono<Long> springInsert = spring.transactional(
                    client.sql("insert into note (text) values ('y')").fetch().rowsUpdated());
            Mono<Long> unitCount = units.execute(work ->
                    work.sql("select count(*) from note").map(Long.class).one());
            Mono<Long> springCount = spring.transactional(
                    client.sql("select count(*) from note").mapValue(Long.class).one());

            assertCount(1, insert.then(springInsert), "ada");
            assertCount(1, insert, "grace");
            assertCount(2, unitCount, "ada");
            assertCount(2, springCount, "ada");
            assertCount(1, unitCount, "grace");
            assertCount(1, springCount, "grace");
            assertCount(0, unitCount, "unknown");
            assertCount(
                    0,
                    context.getBean(Engine.class)
                            .sql("select count(*) from note")
                            .map(Long.class)
                            .one(),
                    "ada");
        }

        private static void assertCount(long rows, Mono<Long> query, String tenant) {
            StepVerifier.create(query.contextWrite(Context.of(Shop.TENANT, tenant)))
                    .expectNext(rows)
                    .expectComplete()
                    .verify(LONG);
        }
    }
}
