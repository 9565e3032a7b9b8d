package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.testing.Server;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgreSqlEngineExtensionIT extends ServerEngineExtensionContract {
    PostgreSqlEngineExtensionIT() {
        super(
                Server.POSTGRESQL,
                "select count(*) from pg_database where datname like 'r2dbc_engine_test_%'",
                RolledBack.class,
                Leaking.class,
                Broken.class,
                Ten.class);
    }

    static class RolledBack extends RolledBackCase implements On.PostgreSql {
        RolledBack(Engine engine) {
            super(engine);
        }
    }

    static class Leaking extends LeakingCase implements On.PostgreSql {}

    static class Broken extends BrokenCase {
        @RegisterExtension
        static final EngineExtension DATABASE = broken(EngineExtension.on(() -> On.url(Server.POSTGRESQL)));
    }

    static class Ten {
        static class A extends ParallelCase implements On.PostgreSql {}

        static class B extends ParallelCase implements On.PostgreSql {}

        static class C extends ParallelCase implements On.PostgreSql {}

        static class D extends ParallelCase implements On.PostgreSql {}

        static class E extends ParallelCase implements On.PostgreSql {}

        static class F extends ParallelCase implements On.PostgreSql {}

        static class G extends ParallelCase implements On.PostgreSql {}

        static class H extends ParallelCase implements On.PostgreSql {}

        static class I extends ParallelCase implements On.PostgreSql {}

        static class J extends ParallelCase implements On.PostgreSql {}
    }
}
