package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class MariaDbBaselineAndCleanIT extends MySqlFamilyBaselineAndCleanContract {
    MariaDbBaselineAndCleanIT() {
        super(Server.MARIADB, """
                create sequence "Numbers"

                create table versioned (a int) with system versioning

                """);
    }
}
