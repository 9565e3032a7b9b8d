package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.UnitOfWork;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Spring Data repositories, {@code @Transactional} methods, units of work and jOOQ, nested in each other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpringDataContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final IllegalStateException failure = new IllegalStateException("on purpose");
    private final Server server;
    private TestDatabase database;
    private ConfigurableApplicationContext application;
    private Customers customers;
    private Service service;
    private Engine engine;
    private UnitOfWork units;

    @SuppressWarnings("NullAway.Init") // before all tests
    SpringDataContract(Server server) {
        this.server = server;
    }

    /** A row whose id the database generates. */
    record Customer(@Id Long id, String name) {
        @SuppressWarnings("NullAway") // a new row has no id
        static Customer of(String name) {
            return new Customer(null, name);
        }
    }

    interface Customers extends ReactiveCrudRepository<Customer, Long> {}

    /** A service of the application whose calls Spring runs in transactions. */
    static class Service {
        @Transactional
        public <T> Mono<T> transactional(Mono<T> body) {
            return body;
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableR2dbcRepositories(considerNestedRepositories = true, basePackageClasses = Customers.class)
    static class Application {
        @Bean
        Service service() {
            return new Service();
        }
    }

    @BeforeAll
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        database = TestDatabase.fresh(server).keepAlive();
        database.execute("create table customer (id int generated always as identity primary key, name varchar(40))")
                .block(LONG);
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(
                        "--spring.main.banner-mode=off",
                        "--spring.r2dbc.url=" + database.url(),
                        "--r2dbc-engine.migrate.enabled=false");
        customers = application.getBean(Customers.class);
        service = application.getBean(Service.class);
        engine = application.getBean(Engine.class);
        units = application.getBean(UnitOfWork.class);
    }

    @AfterAll
    void stop() {
        application.close();
        database.close();
    }

    @AfterEach
    void empty() {
        assertThat(application.getBean(ReactiveEngineCache.class).engines())
                .allMatch(status -> status.connections().borrowed() == 0);
        database.execute("delete from customer").block(LONG);
    }

    private List<String> names() {
        return Objects.requireNonNull(database.query("select name from customer order by name", String.class)
                .block(LONG));
    }

    private Mono<Customer> save(String name) {
        return customers.save(Customer.of(name));
    }

    private Mono<Long> engineInsert(String name) {
        return engine.sql("insert into customer (name) values (:name)")
                .bind("name", name)
                .update();
    }

    private Mono<Integer> jooq(String name) {
        return units.execute(work -> Flux.from(DSL.using(work.connectionFactory())
                        .query("insert into customer (name) values ('" + name + "')"))
                .single());
    }

    private void completes(Mono<?> all) {
        StepVerifier.create(all.then()).expectComplete().verify(LONG);
    }

    private void fails(Mono<?> all) {
        StepVerifier.create(all.then())
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    @Test
    void repositoryWorksWithoutTransaction() {
        completes(save("a")
                .then(customers.count())
                .doOnNext(count -> assertThat(count).isOne()));

        assertThat(names()).containsExactly("a");
    }

    @Test
    void repositoryJoinsUnit() {
        fails(units.execute(work -> save("a").then(engineInsert("b")).then(Mono.error(failure))));
        assertThat(names()).isEmpty();

        completes(units.execute(work -> save("a").then(engineInsert("b")).then(save("c"))));
        assertThat(names()).containsExactly("a", "b", "c");
    }

    @Test
    void statementsUnitsAndJooqJoinTransactionalMethod() {
        Mono<Integer> all = save("a")
                .then(engineInsert("b"))
                .then(units.execute(work -> engineInsert("c").then(save("d"))))
                .then(jooq("e"));

        fails(service.transactional(all.then(Mono.error(failure))));
        assertThat(names()).isEmpty();

        completes(service.transactional(all));
        assertThat(names()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void transactionalMethodJoinsUnit() {
        Mono<?> all = engineInsert("a").then(service.transactional(save("b").then(engineInsert("c"))));

        fails(units.transactional(all.then(Mono.error(failure))));
        assertThat(names()).isEmpty();

        completes(units.transactional(all.then(jooq("d"))));
        assertThat(names()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void failedTransactionalMethodInUnitRollsBackToSavepoint() {
        completes(units.transactional(engineInsert("a")
                .then(service.transactional(save("b").then(engineInsert("c")).then(Mono.<Long>error(failure))))
                .onErrorResume(e -> engineInsert("d"))));

        assertThat(names()).containsExactly("a", "d");
    }
}
