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
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
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
 * Auto-configuration of the engine: the {@link ReactiveEngineCache}, which is closed with the context, the {@link
 * Engine}, its {@link UnitOfWork}, the transaction manager, and the {@link ConnectionFactory} for Spring's own code,
 * which replaces Spring Boot's factory and pool. Each of these beans backs off if the application defines its own.
 *
 * <p>Requires {@code r2dbc-engine.url}, {@code spring.r2dbc.url}, a bean of type {@link R2dbcConnectionDetails} (such
 * as Testcontainers'), or an {@link Engine} of the application. Otherwise Spring Boot's own R2DBC configuration
 * applies.
 */
@AutoConfiguration(before = {R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class})
@ConditionalOnClass({R2dbcAutoConfiguration.class, R2dbcTransactionManager.class})
@Conditional(DatabaseCondition.class)
@EnableConfigurationProperties(R2dbcEngineProperties.class)
@ImportRuntimeHints(EngineRuntimeHints.class)
public final class EngineAutoConfiguration {

    EngineAutoConfiguration() {}

    /** Closes with the context, which waits for acquired connections up to the close timeout. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ReactiveEngineCache reactiveEngineCache(
            R2dbcEngineProperties properties,
            Environment environment,
            ObjectProvider<EngineListener> engine,
            ObjectProvider<SqlListener> sql,
            ObjectProvider<WorkListener> work,
            ObjectProvider<ConnectionFactoryDecorator> decorators,
            ObjectProvider<EngineCacheCustomizer> customizers) {
        PoolProperties spring = Binder.get(environment).bindOrCreate("spring.r2dbc.pool", PoolProperties.class);
        ReactiveEngineCache.Builder builder = ReactiveEngineCache.builder()
                .settings(properties.pool().over(spring))
                .boundConnections(new SpringTransactions())
                .settingNames(PropertyNames.of(properties.url() == null ? "spring.r2dbc" : "r2dbc-engine"));
        decorators.orderedStream().forEach(decorator -> builder.decorate(decorator::decorate));
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

    /** The engine as two beans: migrations use the unmigrated one, so that the other one can wait for them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Engine.class)
    static class OneEngine {

        @Bean
        UnmigratedEngine plainR2dbcEngine(
                ReactiveEngineCache cache,
                R2dbcEngineProperties properties,
                Environment environment,
                ObjectProvider<R2dbcConnectionDetails> details,
                ObjectProvider<ConnectionFactoryOptionsBuilderCustomizer> customizers) {
            DatabaseUrl database = new DatabaseUrl(
                    cache, environment, customizers.orderedStream().toList());
            return new UnmigratedEngine(
                    properties.url() == null
                            ? database.engine(details.getObject())
                            : database.engine(properties.url(), properties.username(), properties.password()));
        }

        /** Waits for the migrations, except with the application's own runner, which may depend on this bean. */
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

    /** Uses the factory of the units of work, so that Spring's transactions get the same setup. */
    @Bean
    @ConditionalOnMissingBean
    ConnectionFactory connectionFactory(UnitOfWork units) {
        return units.connectionFactory();
    }

    /** Has the name of Spring Boot's own transaction manager, by which applications may refer to it. */
    @Bean
    @ConditionalOnMissingBean
    ReactiveTransactionManager connectionFactoryTransactionManager(ConnectionFactory factory) {
        return new EngineTransactionManager(factory);
    }
}
