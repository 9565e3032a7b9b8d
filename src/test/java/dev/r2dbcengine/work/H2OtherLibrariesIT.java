package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2OtherLibrariesIT extends OtherLibrariesContract {
    H2OtherLibrariesIT() {
        super(Server.H2);
    }
}
