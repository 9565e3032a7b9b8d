package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.Server;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

record MariaDbSql(String driver) implements MySqlFamilySql {

    @Override
    public Server server() {
        return Server.MARIADB;
    }

    @Override
    public String numbers(int last) {
        return "select seq as n from seq_1_to_" + last;
    }

    @Override
    public String slow() {
        return "select count(*) from seq_1_to_100000 a, seq_1_to_100000 b where a.seq + b.seq = 1";
    }

    @Override
    public String serializable() {
        return "set session innodb_snapshot_isolation = on";
    }

    @Override
    public String toString() {
        return "MariaDB by " + driver;
    }

    @Override
    public List<TypeCase<?>> types() {
        return Stream.concat(
                        MySqlFamilySql.super.types().stream(),
                        Stream.of(TypeCase.of(UUID.class, "uuid", ContractTypes.ID)))
                .toList();
    }
}
