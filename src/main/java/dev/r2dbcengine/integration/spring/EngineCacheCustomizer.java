package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.ReactiveEngineCache;

/**
 * Changes how the application's cache is made, beside its properties: credentials that change, a connection factory, an
 * initializer. All beans of this type are called once, in their order, after the properties were applied.
 */
@FunctionalInterface
public interface EngineCacheCustomizer {

    /**
     * Changes the cache that is about to be made.
     *
     * @param builder of the cache; the listeners are the beans of their types, unless set here
     */
    void customize(ReactiveEngineCache.Builder builder);
}
