package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.InitializingBean;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Migrates the database when the context makes this bean, which is before all that uses the database.
 *
 * <p>It blocks the thread that starts the application, and no other. It has to: beans are made one after the other, on that
 * thread, and one that is to find the tables may be made only when they are there. Spring Boot asks the same of Flyway.
 */
final class MigrationInitializer implements InitializingBean {

    private static final Logger LOG = Loggers.getLogger(MigrationRunner.class);

    private final MigrationRunner runner;

    MigrationInitializer(MigrationRunner runner) {
        this.runner = runner;
    }

    /** Without a limit of its own: those of the runner hold, for the lock and for the connection. */
    @Override
    public void afterPropertiesSet() {
        MigrationReport report = Objects.requireNonNull(runner.migrate().block());
        List<MigrationReport.Executed> applied = report.applied();
        if (applied.isEmpty()) {
            LOG.info("No migration is pending");
        } else {
            LOG.info(
                    "{} applied, the last one is {}",
                    Printable.count(applied.size(), "migration"),
                    applied.get(applied.size() - 1).migration().script());
        }
    }
}
