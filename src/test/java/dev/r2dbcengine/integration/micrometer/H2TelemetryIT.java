package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.testing.Server;

class H2TelemetryIT extends TelemetryContract {
    H2TelemetryIT() {
        super(Server.H2);
    }
}
