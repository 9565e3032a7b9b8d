package dev.r2dbcengine.integration.spring;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/**
 * Registers the migrations as a database initializer of Spring Boot. Spring Boot's own {@code schema.sql} and {@code
 * data.sql} run later: they use the connection factory of the engine, which waits for the migrations.
 */
final class MigrationInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {

    @Override
    protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
        return Set.of(MigrationInitializer.class);
    }

    @Override
    public int getOrder() {
        return -1;
    }
}
