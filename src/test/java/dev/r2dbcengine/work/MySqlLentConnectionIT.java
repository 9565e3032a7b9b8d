package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlLentConnectionIT extends LentConnectionContract {
    MySqlLentConnectionIT() {
        super(Server.MYSQL, "mysql");
    }
}
