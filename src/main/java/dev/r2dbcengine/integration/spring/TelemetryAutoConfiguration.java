package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.integration.micrometer.EngineTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link EngineTelemetry} for applications with a {@link MeterRegistry}: gauges of the pools, and
 * timers through the application's {@link ObservationRegistry} if it has one.
 */
@AutoConfiguration(
        before = EngineAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class TelemetryAutoConfiguration {

    TelemetryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    EngineTelemetry r2dbcEngineTelemetry(MeterRegistry meters, ObjectProvider<ObservationRegistry> observations) {
        ObservationRegistry registry = observations.getIfUnique();
        return registry == null ? EngineTelemetry.on(meters) : EngineTelemetry.on(meters, registry);
    }
}
