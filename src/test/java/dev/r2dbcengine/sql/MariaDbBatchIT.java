package dev.r2dbcengine.sql;

class MariaDbBatchIT extends MariaDbBatchContract {
    MariaDbBatchIT() {
        super("mariadb");
    }
}
