package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import org.junit.jupiter.api.Test;

/** A test class whose migrations fail, so that its tests do not run. */
abstract class BrokenCase {
    static EngineExtension broken(EngineExtension extension) {
        return extension.migrations(runner -> runner.locations("classpath:extension-broken"));
    }

    @Test
    void isNotCalled(Engine engine) {
        throw new AssertionError(engine);
    }

    @Test
    void isNotCalledEither() {
        throw new AssertionError();
    }
}
