package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.Server;

record MySqlSql() implements MySqlFamilySql {

    @Override
    public String driver() {
        return "mysql";
    }

    @Override
    public Server server() {
        return Server.MYSQL;
    }

    @Override
    public String numbers(int last) {
        return "select n from json_table(concat('[0', repeat(',0', " + last
                + " - 1), ']'), '$[*]' columns (n for ordinality)) t";
    }

    @Override
    public String slow() {
        return "select count(*) from (" + numbers(100_000) + ") a, (" + numbers(100_000) + ") b where a.n + b.n = 1";
    }

    @Override
    public String serializable() {
        return "set session transaction isolation level serializable";
    }

    @Override
    public String toString() {
        return "MySQL";
    }
}
