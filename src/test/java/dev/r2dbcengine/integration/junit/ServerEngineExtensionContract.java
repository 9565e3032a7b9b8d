package dev.r2dbcengine.integration.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adds the behavior on a server, where databases have to be dropped. */
abstract class ServerEngineExtensionContract extends EngineExtensionContract {
    private final Server server;
    private final String databases;
    private final Class<? extends LeakingCase> leaking;

    /**
     * Creates a contract for a server.
     *
     * @param databases a query that counts the databases of the extension
     */
    ServerEngineExtensionContract(
            Server server,
            String databases,
            Class<? extends RolledBackCase> rolledBack,
            Class<? extends LeakingCase> leaking,
            Class<? extends BrokenCase> broken,
            Class<?> ten) {
        super(rolledBack, broken, ten);
        this.server = server;
        this.databases = databases;
        this.leaking = leaking;
    }

    @AfterEach
    void verifyDatabasesAreDropped() {
        assertThat(On.administration(server).query(databases, Long.class).block(Duration.ofSeconds(30)))
                .containsExactly(0L);
    }

    @Test
    void leakedConnectionFailsClassAndDatabaseIsDropped() {
        assertThat(failures(run(false, leaking)))
                .singleElement()
                .asString()
                .contains("Leaking", "that were not released within 5 s: 1");
    }
}
