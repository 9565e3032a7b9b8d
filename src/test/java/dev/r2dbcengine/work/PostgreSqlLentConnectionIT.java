package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class PostgreSqlLentConnectionIT extends LentConnectionContract {
    PostgreSqlLentConnectionIT() {
        super(Server.POSTGRESQL, "postgresql");
    }
}
