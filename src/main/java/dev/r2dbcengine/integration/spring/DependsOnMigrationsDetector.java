package dev.r2dbcengine.integration.spring;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Makes the {@link DatabaseClient}, and with it the repositories, depend on the migrations and on Spring Boot's SQL
 * scripts. The engine, and so the units of work and the connection factory, depend only on the migrations, by {@link
 * EngineAutoConfiguration}, since the scripts run on that factory. Other beans need {@code
 * @DependsOnDatabaseInitialization}.
 */
final class DependsOnMigrationsDetector extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(DatabaseClient.class);
    }
}
