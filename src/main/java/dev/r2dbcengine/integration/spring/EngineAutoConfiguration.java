package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;

/**
 * The engine of a Spring Boot application, and what belongs to it: the {@link ReactiveEngineCache}, closed with the context,
 * the {@link Engine}, its {@link UnitOfWork}, and the {@link ConnectionFactory} for Spring's own code, in place of that of
 * Spring Boot and of its pool. Beans of the application's come first, each for itself.
 *
 * <p>Where neither {@code r2dbc-engine.url} nor {@code spring.r2dbc.url} says where the database is, nor a bean of {@link
 * R2dbcConnectionDetails}, as Testcontainers' are, there is no engine, and Spring Boot does what it does without.
 */
@AutoConfiguration(before = {R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class})
@ConditionalOnClass({R2dbcAutoConfiguration.class, R2dbcTransactionManager.class})
@Conditional(DatabaseCondition.class)
@EnableConfigurationProperties(R2dbcEngineProperties.class)
@ImportRuntimeHints(EngineRuntimeHints.class)
public final class EngineAutoConfiguration {

    EngineAutoConfiguration() {}

    /** It closes with the context, which waits for borrowed connections up to the close timeout. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ReactiveEngineCache reactiveEngineCache(
            R2dbcEngineProperties properties,
            Environment environment,
            ObjectProvider<EngineListener> engine,
            ObjectProvider<SqlListener> sql,
            ObjectProvider<WorkListener> work,
            ObjectProvider<EngineCacheCustomizer> customizers) {
        PoolProperties spring = Binder.get(environment).bindOrCreate("spring.r2dbc.pool", PoolProperties.class);
        ReactiveEngineCache.Builder builder = ReactiveEngineCache.builder()
                .settings(properties.pool().over(spring))
                .boundConnections(new SpringTransactions())
                .settingNames(PropertyNames.of(properties.url() == null ? "spring.r2dbc" : "r2dbc-engine"));
        Optional.ofNullable(properties.maxEngines()).ifPresent(builder::maxEngines);
        Optional.ofNullable(properties.idleTimeout()).ifPresent(builder::idleTimeout);
        Optional.ofNullable(properties.closeTimeout()).ifPresent(builder::closeTimeout);
        CompositeListeners.of(EngineListener.class, engine.orderedStream().toList())
                .ifPresent(builder::listener);
        CompositeListeners.of(SqlListener.class, sql.orderedStream().toList()).ifPresent(builder::listener);
        CompositeListeners.of(WorkListener.class, work.orderedStream().toList()).ifPresent(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    /** The application's engine, under two types: migrations take the first, so that the second may wait for them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Engine.class)
    static class OneEngine {

        @Bean
        UnmigratedEngine plainR2dbcEngine(
                ReactiveEngineCache cache,
                R2dbcEngineProperties properties,
                Environment environment,
                ObjectProvider<R2dbcConnectionDetails> details) {
            DatabaseUrl database = new DatabaseUrl(cache, environment);
            return new UnmigratedEngine(
                    properties.url() == null
                            ? database.engine(details.getObject())
                            : database.engine(properties.url(), properties.username(), properties.password()));
        }

        /** Not before the migrations have run, unless they are by a runner of the application's own, made of this. */
        @Bean(destroyMethod = "")
        Engine r2dbcEngine(UnmigratedEngine plain, BeanFactory beans) {
            if (beans.containsBean(MigrationAutoConfiguration.RUNNER)) {
                beans.getBean(MigrationInitializer.class);
            }
            return plain.engine();
        }
    }

    @Bean
    @ConditionalOnMissingBean
    UnitOfWork r2dbcEngineUnitOfWork(Engine engine) {
        return engine.unitOfWork();
    }

    /** Of the units, so that a transaction of Spring's is set up as they are. */
    @Bean
    @ConditionalOnMissingBean
    ConnectionFactory connectionFactory(UnitOfWork units) {
        return units.connectionFactory();
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveTransactionManager r2dbcEngineTransactionManager(ConnectionFactory factory) {
        return new EngineTransactionManager(factory);
    }
}
