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
 * Migrates the database when the context creates this bean, before the beans that use the database.
 *
 * <p>Blocks the thread that starts the application. This is intended: beans are created sequentially on that thread,
 * and dependent beans need the tables. Spring Boot's integration of Flyway blocks in the same way.
 */
final class MigrationInitializer implements InitializingBean {

    private static final Logger LOG = Loggers.getLogger(MigrationRunner.class);

    private final MigrationRunner runner;

    MigrationInitializer(MigrationRunner runner) {
        this.runner = runner;
    }

    /** Blocks without its own timeout; the runner limits the waits for the lock and for the connection. */
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
