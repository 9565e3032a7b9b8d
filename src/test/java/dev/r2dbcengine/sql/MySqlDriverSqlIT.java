package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import org.junit.jupiter.api.Test;

/** MariaDB through the driver for MySQL. */
class MySqlDriverSqlIT extends MariaDbSqlContract {
    MySqlDriverSqlIT() {
        super("mysql");
    }

    @Test
    void dialectIsThatOfMariaDb() {
        assertThat(bed.dialect()).isEqualTo(Dialect.MARIADB_BY_MYSQL_DRIVER);
    }
}
