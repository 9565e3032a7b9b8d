package dev.r2dbcengine.integration.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for native images: the scripts in the default location and the proxies of the listeners. Spring Boot
 * registers the properties. The application registers the records that rows are mapped to, with
 * {@code @RegisterReflectionForBinding}.
 */
final class EngineRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("db/migration/**");
        CompositeListeners.KINDS.forEach(hints.proxies()::registerJdkProxy);
    }
}
