package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.ReactiveEngineCache;

/**
 * Customizes the builder of the application's cache beyond the properties: rotating credentials, a connection factory,
 * an initializer. Each bean of this type is called once, in bean order, after the properties were applied.
 */
@FunctionalInterface
public interface EngineCacheCustomizer {

    /**
     * Customizes the builder.
     *
     * @param builder of the cache; its listeners are the listener beans, unless others are set here
     */
    void customize(ReactiveEngineCache.Builder builder);
}
