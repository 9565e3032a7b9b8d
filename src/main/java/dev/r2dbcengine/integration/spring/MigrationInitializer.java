package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.migrate.MigrationRunner;
import org.springframework.beans.factory.InitializingBean;

/**
 * Migrates the database when the context makes this bean, which is before all that uses the database.
 *
 * <p>It blocks the thread that starts the application, and no other. It has to: beans are made one after the other, on that
 * thread, and one that is to find the tables may be made only when they are there. Spring Boot asks the same of Flyway.
 */
final class MigrationInitializer implements InitializingBean {

    private final MigrationRunner runner;

    MigrationInitializer(MigrationRunner runner) {
        this.runner = runner;
    }

    /** Without a limit of its own: those of the runner hold, for the lock and for the connection. */
    @Override
    public void afterPropertiesSet() {
        runner.migrate().block();
    }
}
