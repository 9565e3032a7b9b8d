package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2EngineExtensionIT extends EngineExtensionContract {
    H2EngineExtensionIT() {
        super(RolledBack.class, Broken.class, Ten.class);
    }

    static class RolledBack extends RolledBackCase implements On.H2 {
        RolledBack(Engine engine) {
            super(engine);
        }
    }

    static class Broken extends BrokenCase {
        @RegisterExtension
        static final EngineExtension DATABASE = broken(EngineExtension.inMemory());
    }

    static class Ten {
        static class A extends ParallelCase implements On.H2 {}

        static class B extends ParallelCase implements On.H2 {}

        static class C extends ParallelCase implements On.H2 {}

        static class D extends ParallelCase implements On.H2 {}

        static class E extends ParallelCase implements On.H2 {}

        static class F extends ParallelCase implements On.H2 {}

        static class G extends ParallelCase implements On.H2 {}

        static class H extends ParallelCase implements On.H2 {}

        static class I extends ParallelCase implements On.H2 {}

        static class J extends ParallelCase implements On.H2 {}
    }
}
