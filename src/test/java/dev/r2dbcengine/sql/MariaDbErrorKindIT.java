package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.Server;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbErrorKindIT implements ErrorKindContract {

    private final SqlTestBed bed = new SqlTestBed(Server.MARIADB, driver());

    @Override
    public SqlTestBed bed() {
        return bed;
    }

    @AfterEach
    void close() {
        bed.close();
    }

    String driver() {
        return "mariadb";
    }

    @Override
    public String shortLockWait() {
        return "set innodb_lock_wait_timeout = 1";
    }

    @Override
    public List<String> serializable() {
        return List.of("set session innodb_snapshot_isolation = on");
    }

    @Override
    public String endStatement() {
        return "kill query {session}";
    }

    @Override
    public String endSession() {
        return "kill {session}";
    }

    @Override
    public String session() {
        return "select connection_id()";
    }

    @Override
    public String slow() {
        return "select count(*) from seq_1_to_100000 a, seq_1_to_100000 b where a.seq + b.seq = 1";
    }
}
