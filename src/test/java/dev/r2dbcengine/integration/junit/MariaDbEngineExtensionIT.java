package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.testing.Server;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbEngineExtensionIT extends ServerEngineExtensionContract {
    MariaDbEngineExtensionIT() {
        super(
                Server.MARIADB,
                "select count(*) from information_schema.schemata where schema_name like 'r2dbc_engine_test_%'",
                RolledBack.class,
                Leaking.class,
                Broken.class,
                Ten.class);
    }

    static class RolledBack extends RolledBackCase implements On.MariaDb {
        RolledBack(Engine engine) {
            super(engine);
        }
    }

    static class Leaking extends LeakingCase implements On.MariaDb {}

    static class Broken extends BrokenCase {
        @RegisterExtension
        static final EngineExtension DATABASE = broken(EngineExtension.on(() -> On.url(Server.MARIADB)));
    }

    static class Ten {
        static class A extends ParallelCase implements On.MariaDb {}

        static class B extends ParallelCase implements On.MariaDb {}

        static class C extends ParallelCase implements On.MariaDb {}

        static class D extends ParallelCase implements On.MariaDb {}

        static class E extends ParallelCase implements On.MariaDb {}

        static class F extends ParallelCase implements On.MariaDb {}

        static class G extends ParallelCase implements On.MariaDb {}

        static class H extends ParallelCase implements On.MariaDb {}

        static class I extends ParallelCase implements On.MariaDb {}

        static class J extends ParallelCase implements On.MariaDb {}
    }
}
