package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.testing.Server;

class PostgreSqlTelemetryIT extends TelemetryContract {
    PostgreSqlTelemetryIT() {
        super(Server.POSTGRESQL);
    }
}
