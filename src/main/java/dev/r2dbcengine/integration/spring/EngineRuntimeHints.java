package dev.r2dbcengine.integration.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image is to keep: the scripts in the place where they are looked for unless a property says otherwise, and
 * how listeners are told. The properties are Spring Boot's to keep; records that rows are mapped to are the application's,
 * by {@code @RegisterReflectionForBinding}.
 */
final class EngineRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("db/migration/**");
        CompositeListeners.KINDS.forEach(hints.proxies()::registerJdkProxy);
    }
}
