package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The databases on which the extension's test classes run. */
interface On {

    interface H2 {
        @RegisterExtension
        EngineExtension DATABASE = migrated(EngineExtension.inMemory());
    }

    interface PostgreSql {
        @RegisterExtension
        EngineExtension DATABASE = migrated(EngineExtension.on(() -> url(Server.POSTGRESQL)));
    }

    interface MariaDb {
        @RegisterExtension
        EngineExtension DATABASE = migrated(EngineExtension.on(() -> url(Server.MARIADB)));
    }

    /** The databases whose connections create the others. */
    Map<Server, TestDatabase> ADMINISTRATION = new EnumMap<>(Server.class);

    static String url(Server server) {
        return administration(server).url();
    }

    static TestDatabase administration(Server server) {
        synchronized (ADMINISTRATION) {
            return ADMINISTRATION.computeIfAbsent(server, TestDatabase::fresh);
        }
    }

    private static EngineExtension migrated(EngineExtension extension) {
        return extension.migrations(runner -> runner.locations("classpath:extension"));
    }
}
