package dev.r2dbcengine;

import dev.r2dbcengine.testing.Server;

class MariaDbUserCodeIT extends UserCodeContract {
    MariaDbUserCodeIT() {
        super(Server.MARIADB, sharpest());
    }
}
