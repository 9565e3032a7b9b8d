package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.migrate.MigrationRunner;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the actuator endpoint {@code r2dbcmigrations}, if it is exposed. */
@AutoConfiguration(after = MigrationAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(MigrationRunner.class)
@ConditionalOnAvailableEndpoint(MigrationsEndpoint.class)
public final class MigrationsEndpointAutoConfiguration {

    MigrationsEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    MigrationsEndpoint migrationsEndpoint(Map<String, MigrationRunner> runners) {
        return new MigrationsEndpoint(runners);
    }
}
