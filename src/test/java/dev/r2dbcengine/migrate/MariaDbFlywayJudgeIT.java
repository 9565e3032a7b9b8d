package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class MariaDbFlywayJudgeIT extends MySqlFamilyFlywayJudgeContract {
    MariaDbFlywayJudgeIT() {
        super(Server.MARIADB);
    }
}
