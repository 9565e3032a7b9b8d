package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health indicator {@code r2dbcEngine}. {@code management.health.r2dbcengine.enabled=false}
 * disables it.
 */
@AutoConfiguration(after = EngineAutoConfiguration.class)
@ConditionalOnClass({ReactiveHealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(ReactiveEngineCache.class)
@ConditionalOnSingleCandidate(Engine.class)
@ConditionalOnEnabledHealthIndicator("r2dbcengine")
public final class EngineHealthAutoConfiguration {

    EngineHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"r2dbcEngineHealthIndicator", "r2dbcEngineHealthContributor"})
    ReactiveHealthContributor r2dbcEngineHealthContributor(ReactiveEngineCache cache, Engine engine) {
        return new EngineHealth(cache, engine);
    }
}
