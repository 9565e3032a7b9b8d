package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.Result;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Statements that a driver would corrupt reach the database unchanged in the form of {@link Dialect#forBatch(String)}. */
class DriverFormIT {

    @Test
    void statementsThatThePostgresqlDriverWouldCorruptArriveUnchanged() {
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            run(Dialect.POSTGRESQL, database.url(), """
                    create table t(a text);
                    insert into t values (E'it\\'s; $1'), (E'a'
                      'b\\'c');
                    create function add(int, int) returns int begin atomic select $1 + $2; end;
                    create function tag(int) returns text return $b0$;$s0$;$b0$ || $1;
                    prepare p(text) as insert into t values ($1);
                    execute p('prepared;');
                    insert into t values (add(1, 2)), (tag(1)), ('{"a": 1}'::jsonb ? 'a'), (U&'d\\0061t;a');
                    create rule r as on update to t do instead (select 1; select 2);
                    create index concurrently i on t(a);
                    create index concurrently j on t(a);
                    do $x$ begin perform ';'; end $x$;
                    vacuum t;
                    """);
            assertThat(rows(database, "select a from t order by a"))
                    .containsExactlyInAnyOrder("it's; $1", "ab'c", "prepared;", "3", ";$s0$;1", "true", "dat;a");
        }
    }

    @Test
    void statementsThatTheMariadbAndMysqlDriversWouldCorruptArriveUnchanged() {
        try (TestDatabase database = TestDatabase.fresh(Server.MARIADB)) {
            String script = """
                    # it's a comment; ?
                    create table t(a varchar(100)) /*!50100 engine=InnoDB */;
                    insert into t values ('it\\'s; ? :x'), ("a\\"?;"), ('`?`'); -- ? :x
                    create procedure p()
                    begin
                      declare i int default 0;
                      declare exit handler for sqlexception begin resignal; end;
                      lp:LOOP
                        set i = i + 1;
                        if i > 2 then leave lp; end if;
                      end loop;
                      repeat set i = i + 1; until i > 5 end repeat;
                      for j in 1..2 do insert into t values (j); end for;
                      insert into t values (case i when 6 then 'six;' end);
                    end;
                    call p();
                    DELIMITER //
                    create trigger tr before insert on t for each row begin set new.a = concat(new.a, ':'); end//
                    create function f() returns int deterministic begin return 1; end;
                    //
                    DELIMITER ;
                    begin not atomic insert into t values (f()); insert into t values ('?:x'); end;
                    set @a := 1;
                    -- it's a line; of old\rinsert into t values ('returned') # as; this\r, ('too') -- ?\r;--done; ?
                    """;
            run(Dialect.MARIADB, database.url(), script);
            assertThat(rows(database, "select a from t"))
                    .containsExactlyInAnyOrder(
                            "it's; ? :x", "a\"?;", "`?`", "1", "2", "six;", "1:", "?:x:", "returned:", "too:");
            run(
                    Dialect.MYSQL,
                    database.url().replace("r2dbc:mariadb:", "r2dbc:mysql:"),
                    "drop procedure p; drop function f; drop table t;" + script);
            assertThat(rows(database, "select a from t")).hasSize(10);
        }
    }

    @Test
    void statementsThatTheH2DriverWouldCorruptArriveUnchanged() {
        try (TestDatabase database = TestDatabase.fresh(Server.H2).keepAlive()) {
            run(Dialect.H2, database.url(), """
                    create table t(a varchar);
                    -- a comment; of two
                    insert into t values ('a;b'), ($$c;'d$$), ('e' /* ; */), (U&'d\\0061t;a');
                    create alias hello as $$
                    String hello(String name) {
                        return "Hello; " + name; // it's
                    }
                    $$;
                    create alias twice as 'String twice(String a) { return a + ";" + a; }';
                    create trigger tr before insert on t for each row as
                      $$org.h2.api.Trigger create() {
                          return (connection, old, now) -> { now[0] = now[0] + ";"; };
                      }$$;
                    insert into t values (hello('x')), (twice('y'));
                    """);
            assertThat(rows(database, "select a from t"))
                    .containsExactlyInAnyOrder("a;b", "c;'d", "e", "dat;a", "Hello; x;", "y;y;");
        }
    }

    @Test
    void driversCorruptStatementsInTheirOriginalForm() {
        try (TestDatabase postgresql = TestDatabase.fresh(Server.POSTGRESQL);
                TestDatabase mariadb = TestDatabase.fresh(Server.MARIADB);
                TestDatabase h2 = TestDatabase.fresh(Server.H2).keepAlive()) {
            assertThat(List.of(
                            postgresql.execute("prepare p(int) as select $1"),
                            postgresql.execute("do $x$ begin end $x$; select E'it\\'s; '"),
                            mariadb.execute("create procedure p() begin lp:LOOP leave lp; end loop; end")))
                    .allSatisfy(execution ->
                            StepVerifier.create(execution).expectError().verify());
            StepVerifier.create(Mono.usingWhen(
                            Mono.fromDirect(ConnectionFactories.get(h2.url()).create()),
                            connection -> Flux.from(connection
                                            .createStatement("create alias f as 'int f() { return 1; }'")
                                            .execute())
                                    .concatMap(Result::getRowsUpdated)
                                    .then(),
                            Connection::close))
                    .expectError()
                    .verify();
        }
    }

    private static List<String> rows(TestDatabase database, String sql) {
        return Objects.requireNonNull(database.query(sql, String.class).block());
    }

    private static void run(Dialect dialect, String url, String text) {
        List<ScriptStatement> statements = GoldenScript.statements(dialect, GoldenScript.script(text));
        Mono<Void> run = Mono.usingWhen(
                Mono.fromDirect(ConnectionFactories.get(url).create()),
                connection -> Flux.fromIterable(statements)
                        .concatMap(one -> run(connection, dialect.forBatch(one.text())), 1)
                        .then(),
                Connection::close);
        StepVerifier.create(run).verifyComplete();
    }

    private static Mono<Void> run(Connection connection, String sql) {
        return Flux.defer(() -> connection.createBatch().add(sql).execute())
                .concatMap(Result::getRowsUpdated)
                .then()
                .onErrorMap(e -> new AssertionError(sql, e));
    }
}
