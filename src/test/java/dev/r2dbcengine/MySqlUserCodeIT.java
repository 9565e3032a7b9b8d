package dev.r2dbcengine;

import dev.r2dbcengine.testing.OnMySql;
import dev.r2dbcengine.testing.Server;

@OnMySql
class MySqlUserCodeIT extends UserCodeContract {
    MySqlUserCodeIT() {
        super(Server.MYSQL, sharpest());
    }
}
