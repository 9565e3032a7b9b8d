package dev.r2dbcengine.sql;

import dev.r2dbcengine.testing.Server;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgreSqlErrorKindIT implements ErrorKindContract {

    private final SqlTestBed bed = new SqlTestBed(Server.POSTGRESQL, "postgresql");

    @Override
    public SqlTestBed bed() {
        return bed;
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Override
    public String shortLockWait() {
        return "set lock_timeout = 100";
    }

    @Override
    public List<String> serializable() {
        return List.of("set session characteristics as transaction isolation level serializable");
    }

    @Override
    public String endStatement() {
        return "select pg_cancel_backend({session})";
    }

    @Override
    public String endSession() {
        return "select pg_terminate_backend({session})";
    }

    @Override
    public String session() {
        return "select pg_backend_pid()";
    }

    @Override
    public String slow() {
        return "select pg_sleep(60)";
    }
}
