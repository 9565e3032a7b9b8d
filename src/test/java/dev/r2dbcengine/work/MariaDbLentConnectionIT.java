package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MariaDbLentConnectionIT extends LentConnectionContract {
    MariaDbLentConnectionIT() {
        super(Server.MARIADB, "mariadb");
    }
}
