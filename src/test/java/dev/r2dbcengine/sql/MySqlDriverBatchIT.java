package dev.r2dbcengine.sql;

class MySqlDriverBatchIT extends MariaDbBatchContract {
    MySqlDriverBatchIT() {
        super("mysql");
    }
}
