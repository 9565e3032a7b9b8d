package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.OnMySql;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@OnMySql
class MySqlErrorKindIT extends ErrorKindContract {
    MySqlErrorKindIT() {
        super(new MySqlSql());
    }

    /* Serializable transactions lock the rows that they read, and end in a deadlock. */
    @Test
    @Override
    void transactionsThatCannotBeOrderedAreAConflict() {
        String update = "update parent set n = n + 1 where id = 1";
        List<ErrorKind> kinds = new CopyOnWriteArrayList<>();
        try (Session one = new Session(bed);
                Session two = new Session(bed)) {
            for (Session session : List.of(one, two)) {
                session.run(database.serializable()).begin().run("select n from parent where id = 1");
            }
            Mono.when(one.later(update, kinds), two.later(update, kinds)).block(LONG);
        }
        assertThat(kinds).containsExactly(ErrorKind.DEADLOCK);
    }
}
