package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.test.context.TestContextManager;

/** A test slice of Spring Data has the engine, and migrates the database first. */
class DataR2dbcSliceTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** A test of an application. Spring's extension needs JUnit 6, so this class starts the context itself. */
    @DataR2dbcTest(properties = "spring.r2dbc.url=r2dbc:h2:mem:///slice")
    static class Slice {

        @SpringBootConfiguration
        @EnableAutoConfiguration
        static class Application {}
    }

    @Test
    void sliceUsesMigratedEngine() {
        ApplicationContext context =
                new TestContextManager(Slice.class).getTestContext().getApplicationContext();

        assertThat(context.getBean(ConnectionFactory.class))
                .isEqualTo(context.getBean(Engine.class).connectionFactory());
        assertThat(context.getBean(R2dbcEntityTemplate.class)
                        .getDatabaseClient()
                        .sql("select count(*) from orders")
                        .mapValue(Long.class)
                        .one()
                        .block(LONG))
                .isZero();
    }
}
