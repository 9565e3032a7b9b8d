package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

class H2LentConnectionIT extends LentConnectionContract {
    H2LentConnectionIT() {
        super(Server.H2, "h2");
    }
}
