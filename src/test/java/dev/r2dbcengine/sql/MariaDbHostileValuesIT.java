package dev.r2dbcengine.sql;

class MariaDbHostileValuesIT extends HostileValuesContract {
    MariaDbHostileValuesIT() {
        super(new MariaDbSql("mariadb"));
    }
}
