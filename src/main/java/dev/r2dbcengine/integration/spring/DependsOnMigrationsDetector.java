package dev.r2dbcengine.integration.spring;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Tells Spring Boot what waits for the migrations and for its own scripts: the client, and with it the repositories. The
 * engine, and so units and connection factory, wait for the migrations alone, by {@link EngineAutoConfiguration}: the
 * scripts run on that factory. Anything else says {@code @DependsOnDatabaseInitialization}.
 */
final class DependsOnMigrationsDetector extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(DatabaseClient.class);
    }
}
