package dev.r2dbcengine.sql;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** MariaDB through the driver for MySQL. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MySqlDriverSqlIT extends MariaDbSqlIT {

    @Override
    String driver() {
        return "mysql";
    }
}
