package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.Server;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class H2ErrorKindIT implements ErrorKindContract {

    private final SqlTestBed bed = new SqlTestBed(Server.H2, "h2");

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
        return "set lock_timeout 100";
    }

    @Override
    public List<String> serializable() {
        return List.of("set session characteristics as transaction isolation level serializable");
    }

    @Override
    public String endStatement() {
        return "call cancel_session({session})";
    }

    @Override
    public String endSession() {
        return "";
    }

    @Override
    public String session() {
        return "select session_id()";
    }

    @Override
    public String slow() {
        return "select count(*) from system_range(1, 100000) a, system_range(1, 100000) b where a.x + b.x = 1";
    }

    /* It has one code for both. */
    @Override
    public ErrorKind conflict() {
        return ErrorKind.DEADLOCK;
    }
}
