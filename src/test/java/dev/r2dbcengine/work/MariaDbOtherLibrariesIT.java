package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class MariaDbOtherLibrariesIT extends OtherLibrariesContract {
    MariaDbOtherLibrariesIT() {
        super(Server.MARIADB);
    }
}
