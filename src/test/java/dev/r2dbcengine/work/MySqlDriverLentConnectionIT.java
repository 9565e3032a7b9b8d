package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MySqlDriverLentConnectionIT extends LentConnectionContract {
    MySqlDriverLentConnectionIT() {
        super(Server.MARIADB, "mysql");
    }
}
