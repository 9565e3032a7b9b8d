package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.InTransaction;
import dev.r2dbcengine.testing.Server;
import io.r2dbc.postgresql.api.PostgresqlException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class PostgreSqlMigrationRunnerIT extends MigrationRunnerContract {
    PostgreSqlMigrationRunnerIT() {
        super(Server.POSTGRESQL);
    }

    @Override
    String describeTable() {
        return """
            select column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length, 0) || ' '
              || is_nullable || ' ' || coalesce(column_default, '') from information_schema.columns
              where table_name = 'flyway_schema_history'
            union all select indexdef from pg_indexes where tablename = 'flyway_schema_history'
            union all select installed_rank || coalesce(version, '') || description || type || script
              || coalesce(checksum, 0) || installed_by || success from flyway_schema_history order by 1\
            """;
    }

    @Test
    void copyDataIsStored() throws Exception {
        script("V1__t.sql", "create table t(a int, b text);\ncopy t from stdin;\n1\tit's; é\n2\t\\N\n\\.\nselect 1;");
        assertThat(get(runner.migrate()).applied()).hasSize(1);
        assertThat(get(database.query("select a || coalesce(b, '-') from t order by a", String.class)))
                .containsExactly("1it's; é", "2-");
    }

    /** It waits for every open transaction, so a run that waits for the lock must not have one. */
    @Override
    String lastOfLocked() {
        return "create index concurrently i on t(a);\ncreate index concurrently j on t(a);";
    }

    @Test
    void copyDataWithEscapesIsStored() throws Exception {
        String rows = """
                1\tquotes ' " '' $$ $1
                2\tbackslash \\\\ tab \\t end
                3\tsemicolon; -- no comment; /*
                4\tline\\nfeed
                5\t\\N
                6\t
                7\té 😀 ${none}
                8\t\\\\.
                """;
        script("V1__t.sql", "create table t(a int, b text);\ncopy t from stdin;\n" + rows + "\\.\nselect 1;")
                .script("V1__t.sql.conf", "placeholderReplacement=false");
        assertThat(get(runner.migrate()).applied()).hasSize(1);
        assertThat(get(database.query("select coalesce(b, '-') from t order by a", String.class)))
                .containsExactly(
                        "quotes ' \" '' $$ $1",
                        "backslash \\ tab \t end",
                        "semicolon; -- no comment; /*",
                        "line\nfeed",
                        "-",
                        "",
                        "é 😀 ${none}",
                        "\\.");
    }

    @Test
    void invalidCopyRowIsReportedWithBothLines() throws Exception {
        script("V1__t.sql", "create table t(a int);\n\ncopy t from stdin;\n1\n2\nthree\n4\n\\.\nselect 1;");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("V1__t.sql, line 3: the migration to version 1 failed", "rolled back")
                        .cause()
                        .asInstanceOf(type(PostgresqlException.class))
                        .satisfies(cause -> assertThat(cause.getErrorDetails().getWhere())
                                .hasValueSatisfying(where -> assertThat(where).contains("COPY t, line 3"))))
                .verify();
        StepVerifier.create(database.query("select a from t", Integer.class)).verifyError(R2dbcException.class);
        script("V1__t.sql", "create table t(a int);\ncopy t from stdin;\n1\n\\.\n");
        assertThat(get(runner.migrate()).applied()).hasSize(1);
    }

    @Test
    void copyDataIsRolledBackWithItsScript() throws Exception {
        script("V1__t.sql", "create table t(a int);")
                .script("V2__copy.sql", "insert into t values (0);\ncopy t from stdin;\n1\n2\n\\.\nsyntax error;");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("V2__copy.sql, line 6"))
                .verify();
        assertThat(get(database.query("select a from t", Integer.class))).isEmpty();
        assertThat(get(database.query("select script from flyway_schema_history", String.class)))
                .containsExactly("V1__t.sql");
    }

    @Test
    void nonTransactionalStatementRunsOutsideTransaction() throws Exception {
        script("V1__t.sql", "create table t(a int);")
                .script("V2__i.sql", "create index concurrently i on t(a);\ncreate index concurrently j on t(a);")
                .script("V3__mixed.sql", "create table u(a int);\nvacuum u;");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll(
                                "V3__mixed.sql, line 2", "mixed(true)", "Migrations applied before it: 2."))
                .verify();
        assertThat(get(runner.mixed(true).migrate()).applied()).hasSize(1);
    }

    /**
     * Statements that the server refuses in a transaction, by the manuals of PostgreSQL 14 to 18. The server is asked first, then
     * each runs as a migration. They build on each other; {@code {db}} is the name of the test's database.
     */
    private static final List<String> REFUSED_IN_A_TRANSACTION = List.of(
            "create index concurrently if not exists i on t(a)",
            "create unique index concurrently u on \"T T\"(a)",
            "drop index concurrently u",
            "reindex index concurrently i",
            "reindex (concurrently) table t",
            "reindex (verbose, concurrently true) table \"T T\"",
            "reindex schema concurrently s",
            "reindex schema s",
            "reindex (verbose) schema \"s\"",
            "reindex (verbose 1, tablespace \"pg_default\") schema s",
            "reindex database",
            "reindex (verbose false) database {db}",
            "reindex database concurrently {db}",
            "cluster",
            "cluster /* all */ verbose",
            "cluster (verbose)",
            "cluster (verbose off, verbose on)",
            "vacuum",
            "vacuum t",
            "vacuum full verbose analyze \"T T\"",
            "vacuum (full, analyze) t(a)",
            "discard all",
            "alter table p detach partition q concurrently",
            "alter table only \"p\" detach partition \"r\" concurrently",
            "create tablespace {db}_space location ''",
            "create database {db}_other",
            "alter database {db}_other set tablespace {db}_space",
            "alter database \"{db}_other\" set tablespace \"pg_default\"",
            "drop database {db}_other",
            "drop database if exists {db}_other (force)",
            "drop tablespace {db}_space",
            "drop tablespace if exists {db}_space",
            "alter system set work_mem = '4MB'",
            "alter system reset work_mem");

    /** The server refuses them in a transaction, and here for other reasons outside of one: there is no publisher. */
    private static final List<String> REFUSED_IN_A_TRANSACTION_WITHOUT_A_PUBLISHER = List.of(
            "create subscription n connection 'dbname=none' publication p",
            "create subscription n connection 'dbname=none' publication p with (enabled = false)",
            "alter subscription enabled refresh publication",
            "alter subscription \"enabled\" refresh publication with (copy_data = false)",
            "alter subscription enabled set publication r",
            "alter subscription enabled add publication r with (copy_data = false)",
            "alter subscription enabled drop publication q with (refresh = true)",
            "alter subscription disabled set (failover = true)",
            "drop subscription disabled",
            "commit prepared 'x'",
            "rollback prepared 'x'");

    private static final List<String> ALLOWED_IN_A_TRANSACTION = List.of(
            "cluster t using i",
            "cluster \"T T\" using k",
            "cluster verbose t",
            "cluster (verbose) t",
            "reindex table t",
            "reindex (verbose) index i",
            "reindex (concurrently false) table t",
            "reindex (tablespace pg_default) table \"T T\"",
            "alter table p detach partition q",
            "discard plans",
            "analyze t",
            "alter type mood add value 'new'",
            "alter subscription s set publication p with (refresh = false)",
            "alter subscription s add publication o with (copy_data = false, refresh = off)",
            "alter subscription s set (slot_name = none)",
            "alter subscription s disable",
            "refresh materialized view concurrently m");

    @Test
    void statementRefusedInTransactionRunsOutside() throws Exception {
        database.execute(
                        "create type mood as enum ('old')",
                        "create schema s",
                        "create table s.x(a int primary key)",
                        "create table t(a int)",
                        "create index i on t(a)",
                        "create table \"T T\"(a int)",
                        "create index k on \"T T\"(a)",
                        "cluster t using i",
                        "cluster \"T T\" using k",
                        "create table p(a int) partition by range(a)",
                        "create table q partition of p for values from (1) to (2)",
                        "create table r partition of p for values from (2) to (3)",
                        "create materialized view m as select 1 as a",
                        "create unique index on m(a)",
                        "create subscription s connection 'dbname=none' publication p with (connect = false)",
                        "alter subscription s set (slot_name = none)",
                        "create subscription disabled connection 'dbname=none' publication p with (connect = false)",
                        "create subscription enabled connection 'dbname=none' publication p, q with (connect = false)",
                        "alter subscription enabled enable",
                        "alter database {db} set allow_in_place_tablespaces = on".replace("{db}", database.name()))
                .block();
        try (FlywayDatabase asked = new FlywayDatabase(Server.POSTGRESQL, database)) {
            for (String each : ALLOWED_IN_A_TRANSACTION) {
                assertThat(refusalInATransaction(asked, each)).as(each).isEmpty();
                assertThat(transactional(each)).as(each).isEqualTo(InTransaction.YES);
            }
            for (String each : REFUSED_IN_A_TRANSACTION_WITHOUT_A_PUBLISHER) {
                assertThat(refusalInATransaction(asked, each)).as(each).isEqualTo("25001");
                assertThat(transactional(each)).as(each).isEqualTo(InTransaction.NO);
            }
            int version = 0;
            for (String each : REFUSED_IN_A_TRANSACTION) {
                String statement = each.replace("{db}", database.name());
                assertThat(refusalInATransaction(asked, statement)).as(each).isEqualTo("25001");
                script("V" + ++version + "__x.sql", statement);
                assertThat(get(runner.baselineOnMigrate(true)
                                        .baselineVersion("0")
                                        .migrate())
                                .applied())
                        .as(each)
                        .hasSize(1);
            }
        } finally {
            database.execute(
                            "alter subscription enabled disable",
                            "alter subscription enabled set (slot_name = none)",
                            "alter subscription disabled set (slot_name = none)",
                            "drop subscription enabled",
                            "drop subscription disabled",
                            "drop subscription s")
                    .block();
        }
    }

    private static InTransaction transactional(String statement) {
        return GoldenScript.statements(Dialect.POSTGRESQL, GoldenScript.script(statement))
                .get(0)
                .transactional();
    }

    /** The SQLSTATE; empty where the server takes the statement. */
    private static String refusalInATransaction(FlywayDatabase asked, String statement) throws SQLException {
        asked.connection().setAutoCommit(false);
        try {
            asked.execute("select 1");
            asked.execute(statement);
            return "";
        } catch (SQLException e) {
            return e.getSQLState();
        } finally {
            asked.connection().rollback();
            asked.connection().setAutoCommit(true);
        }
    }

    /** No text shows that a table is partitioned: its script says so. */
    @Test
    void statementOnPartitionedTableRunsOutsideByItsSettings() throws Exception {
        script("V1__p.sql", "create table p(a int primary key) partition by range(a);")
                .script("V2__r.sql", "reindex table p;");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContaining("V2__r.sql")
                        .cause()
                        .asInstanceOf(type(R2dbcException.class))
                        .extracting(R2dbcException::getSqlState)
                        .isEqualTo("25001"))
                .verify();
        script("V2__r.sql.conf", "executeInTransaction=false").script("V3__c.sql", "cluster p using p_pkey;");
        script("V3__c.sql.conf", "executeInTransaction=false");
        assertThat(get(runner.migrate()).applied()).hasSize(2);
    }

    /** Whether the script before ran in a transaction or not, the next one does or not, alone or in a group. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sessionIsResetAfterEachScript(boolean group) throws Exception {
        String leave = "set search_path = pg_catalog; set role postgres;";
        String write = "insert into t values (current_user::text);";
        String home =
                get(database.query("select current_user::text", String.class)).get(0);
        script("V1__t.sql", "create table t(a text);" + leave)
                .script("V2__outside.sql", write + leave)
                .script("V3__inside.sql", write)
                .script("V4__again.sql", write);
        if (!group) {
            script("V2__outside.sql.conf", "executeInTransaction=false");
        }
        get(runner.group(group).migrate());
        assertThat(get(database.query("select a from t", String.class))).containsExactly(home, home, home);
    }

    /** The role of the script may create tables, and knows nothing of the history. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void historyRowIsWrittenInTheRoleOfTheRun(boolean inTransaction) throws Exception {
        String role = "owner" + database.name();
        database.createUser(role, "hush-role").block();
        String conf = "executeInTransaction=" + inTransaction;
        script("V1__t.sql", "set role " + role + ";\ncreate table t(a int);")
                .script("V1__t.sql.conf", conf)
                .script("V2__u.sql", "select set_config('role', '" + role + "', true);\ncreate table u(a int);")
                .script("V2__u.sql.conf", conf)
                .script("U2__u.sql", "set role " + role + ";");
        assertThat(get(runner.migrate()).applied()).hasSize(2);
        assertThat(get(runner.undo("1")).applied()).hasSize(1);
        assertThat(get(database.query("select tableowner::text from pg_tables where tablename = 't'", String.class)))
                .containsExactly(role);
    }

    /** Flyway's own lock is respected, and given back. */
    @Test
    void lockIsFlyways() throws Exception {
        script(
                "V1__t.sql",
                "create table t(a bigint); insert into t select objid from pg_locks where locktype = 'advisory'"
                        + " and classid = (77433833903597 >> 32) and objid::bigint = (77433833903597 & 4294967295)"
                        + " and database = (select oid from pg_database where datname = current_database())");
        get(runner.migrate());
        assertThat(get(database.query("select count(*) from t", Long.class))).containsExactly(1L);
        assertThat(get(database.query(
                        "select count(*) from pg_locks where locktype = 'advisory' and database ="
                                + " (select oid from pg_database where datname = current_database())",
                        Long.class)))
                .containsExactly(0L);
    }

    @Test
    void lockHolderIsReportedUntilTheTimeout() throws Exception {
        script("V1__t.sql", "create table t(a int);");
        List<String> awaited = new CopyOnWriteArrayList<>();
        MigrationRunner waiting = runner.listener(new MigrationListener() {
            @Override
            public void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
                awaited.add(table);
            }
        });
        Connection holder = get(engine.openConnection());
        get(Flux.from(holder.createStatement("select pg_advisory_lock(77433833903597)")
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .last());
        StepVerifier.create(waiting.lockTimeout(Duration.ofSeconds(1)).migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("\"public\".\"flyway_schema_history\"", "raise lockTimeout")
                        .hasMessageStartingWith("session ")
                        .hasMessageContainingAll(
                                " of user " + database.user() + ", from r2dbc-postgresql at 127.0.0.1, connected for "))
                .verify();
        assertThat(awaited).containsOnly("\"public\".\"flyway_schema_history\"");
        Mono.from(holder.close()).block();
        assertThat(get(waiting.migrate()).applied()).hasSize(1);
    }

    /** A failed CREATE INDEX CONCURRENTLY leaves an invalid index, which IF NOT EXISTS would accept. */
    @Test
    void invalidIndexIsNamed() throws Exception {
        script("V1__t.sql", "create table t(a int);\ninsert into t values (1), (1);")
                .script("V2__i.sql", "create unique index concurrently once on t(a);");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("V2__i.sql, line 1", "has it as failed", "drop public.once first"))
                .verify();
        database.execute("drop index once", "delete from t").block();
        get(runner.repair());
        assertThat(get(runner.migrate()).applied()).hasSize(1);
    }

    /** As through a proxy that shares sessions, or by a script. */
    @Test
    void lockLostDuringScriptStopsRunAndRollsScriptBack() throws Exception {
        script("V1__t.sql", "create table t(a int);\nselect pg_advisory_unlock_all();")
                .script("V2__u.sql", "create table u(a int);");
        List<String> warnings = new CopyOnWriteArrayList<>();
        MigrationRunner told = runner.listener(new MigrationListener() {
            @Override
            public void warned(String warning) {
                warnings.add(warning);
            }
        });
        StepVerifier.create(told.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll(
                                "V1__t.sql, line 2: the migration to version 1 failed: the session does not hold the lock of"
                                        + " \"public\".\"flyway_schema_history\"",
                                "lock(TRANSACTION)",
                                "All that it did was rolled back. Migrations applied before it: 0."))
                .verify();
        assertThat(get(database.query("select count(*) from pg_tables where tablename in ('t', 'u')", Long.class)))
                .containsExactly(0L);
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("\"public\".\"flyway_schema_history\" was not there any more", "lock(TRANSACTION)");
    }

    @Test
    void nonTransactionalScriptIsRefusedUnderTransactionLock() throws Exception {
        script("V1__t.sql", "create table t(a int);").script("V2__i.sql", "create index concurrently i on t(a);");
        StepVerifier.create(runner.lock(LockScope.TRANSACTION).migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll(
                                "V2__i.sql: the migration to version 2 cannot run in a transaction",
                                "lock(SESSION)",
                                "Migrations applied before it: 1."))
                .verify();
        assertThat(get(runner.migrate()).applied()).hasSize(1);
    }

    @Test
    void failureUnderTransactionLockIsRolledBack() throws Exception {
        script("V1__t.sql", "create table t(a int);").script("V2__u.sql", "create table u(a int);\nwrong;");
        StepVerifier.create(runner.lock(LockScope.TRANSACTION).migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll("V2__u.sql, line 2", "was rolled back")
                        .asInstanceOf(type(MigrationException.class))
                        .satisfies(failure -> assertThat(failure.applied()).hasSize(1)))
                .verify();
        script("V2__u.sql", "create table u(a int);");
        assertThat(get(runner.migrate()).applied()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table a(i int);\nCOMMIT;\n",
                "create table a(i int); end transaction;\n",
                "create table a(i int);commit; begin;\n insert into a values (1);\n",
                "create table a(i int);commit work/**/and chain;\n insert into a values (1);\n",
                "rollback; create table a(i int);\n",
                "commit; do $$ begin create table a(i int); commit; end $$;",
            })
    void scriptThatEndsItsTransactionAndFailsIsRecordedAsFailed(String committed) throws Exception {
        script("V1__a.sql", committed + "insert into nowhere values (1);");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("Its effects may remain", "has it as failed", "call repair()")
                        .hasMessageNotContaining("rolled back"))
                .verify();
        assertThat(get(database.query("select i from a", Integer.class))).isEmpty();
        assertThat(history()).containsExactly("1 false");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("has failed half-way"))
                .verify();
        get(runner.repair());
        script("V1__a.sql", "drop table a;");
        assertThat(get(runner.migrate()).applied()).hasSize(1);
        assertThat(history()).containsExactly("1 true");
    }

    private List<String> history() {
        return get(database.query(
                "select coalesce(version, script) || ' ' || success from flyway_schema_history order by installed_rank",
                String.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "savepoint s; create table a(i int); rollback to s; create table a(i int);",
                "savepoint s; create table a(i int); rollback transaction to savepoint s; select 'commit and chain';",
                "create table a(i int); rollback and chain; create table a(i int);",
                "create table a(i int primary key deferrable initially deferred); insert into a values (1), (1); commit;",
            })
    void scriptThatFailsInItsTransactionIsRolledBack(String rolledBack) throws Exception {
        script("V1__a.sql", rolledBack + "insert into nowhere values (1);");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("All that it did was rolled back"))
                .verify();
        StepVerifier.create(database.query("select i from a", Integer.class)).verifyError(R2dbcException.class);
        assertThat(history()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit;", "commit; begin;", "commit and chain;", "rollback;", "rollback and chain;"})
    void scriptThatEndsItsTransactionAndSucceedsIsRecordedAsApplied(String end) throws Exception {
        script("V1__a.sql", "set search_path = pg_catalog; select 1; " + end + " create table public.a(i int);")
                .script("V2__b.sql", "create table b(i int);");
        assertThat(get(runner.migrate()).applied()).hasSize(2);
        assertThat(history()).containsExactly("1 true", "2 true");
        assertThat(get(database.query("select i from a", Integer.class))).isEmpty();
        assertThat(get(runner.migrate()).applied()).isEmpty();
    }

    @Test
    void scriptThatEndsItsTransactionInGroupMatchesTheHistory() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        script("V1__a.sql", "create table a(i int);")
                .script("V2__b.sql", "create table b(i int); commit; create table c(i int);")
                .script("V3__c.sql", "insert into a values (1); insert into nowhere values (1);");
        StepVerifier.create(runner.group(true)
                        .listener(events(events, new CountDownLatch(1)))
                        .migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll("V3__c.sql, line 1", "has it as failed", "applied before it: 2.")
                        .hasMessageNotContaining("rolled back")
                        .asInstanceOf(type(MigrationException.class))
                        .satisfies(failure -> assertThat(failure.applied()).hasSize(2)))
                .verify();
        assertThat(history()).containsExactly("1 true", "2 true", "3 false");
        assertThat(events).containsExactly("applied 1", "applied 2", "failed 3");
    }

    @Test
    void groupRolledBackInPartIsNotReportedAsApplied() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        script("V1__a.sql", "create table a(i int);").script("V2__b.sql", "rollback; create table b(i int);");
        StepVerifier.create(runner.group(true)
                        .listener(events(events, new CountDownLatch(1)))
                        .migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll("V2__b.sql", "Not applied: V1__a.sql", "outOfOrder(true)")
                        .asInstanceOf(type(MigrationException.class))
                        .satisfies(failure -> assertThat(failure.applied()).hasSize(1)))
                .verify();
        assertThat(history()).containsExactly("2 true");
        assertThat(events).containsExactly("applied 2", "failed 1");
        assertThat(get(runner.outOfOrder(true).migrate()).applied()).hasSize(1);
    }

    @Test
    void chainedCommitInGroupMatchesTheHistory() throws Exception {
        script("V1__a.sql", "create table a(i int); commit and chain; create table c(i int);")
                .script("V2__b.sql", "create table b(i int); insert into nowhere values (1);");
        StepVerifier.create(runner.group(true).migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll(
                                "V2__b.sql, line 1", "All that it did was rolled back", "not applied: V1__a.sql"))
                .verify();
        assertThat(history()).containsExactly("1 false");
        assertThat(get(database.query("select i from a", Integer.class))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LockScope.class)
    void undoThatEndsItsTransactionAndFailsIsRecordedAsFailed(LockScope lock) throws Exception {
        script("V1__a.sql", "create table a(i int);").script("U1__a.sql", "drop table a; commit; drop table nowhere;");
        MigrationRunner locked = runner.lock(lock);
        get(locked.migrate());
        StepVerifier.create(locked.undo("0?"))
                .expectErrorSatisfies(
                        e -> assertThat(e).hasMessageContainingAll("the history has the version as failed"))
                .verify();
        assertThat(history()).containsExactly("1 false");
    }

    @Test
    void connectionLostAfterScriptEndedItsTransactionIsReportedFromTheHistory() throws Exception {
        script("V1__a.sql", "create table a(i int); commit; select pg_terminate_backend(pg_backend_pid());");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessageContainingAll("the connection was lost", "has it as failed")
                        .hasMessageNotContaining("rolled back"))
                .verify();
        assertThat(history()).containsExactly("1 false");
    }

    @Test
    void callbackAndCodeThatEndTheTransactionAreNotReportedAsRolledBack() throws Exception {
        script("V1__a.sql", "create table a(i int);");
        get(runner.migrate());
        Migration code = new Code(engine -> engine.sql("insert into a values (2)")
                .update()
                .then(engine.sql("commit").update())
                .then(engine.sql("insert into nowhere values (2)").update()));
        StepVerifier.create(runner.migrations(code).migrate())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("has it as failed"))
                .verify();
        assertThat(history()).containsExactly("1 true", "2 false");
        get(runner.repair());
        script("V2__b.sql", "insert into a values (3);")
                .script("afterEachMigrate.sql", "commit; insert into nowhere values (2);");
        StepVerifier.create(runner.migrate())
                .expectErrorSatisfies(
                        e -> assertThat(e).hasMessageContainingAll("afterEachMigrate.sql, line 1", "has it as failed"))
                .verify();
        assertThat(history()).containsExactly("1 true", "2 false");
        assertThat(rows("a")).containsExactly(2, 3);
    }

    private List<Integer> rows(String table) {
        return get(database.query("select i from " + table + " order by i", Integer.class));
    }

    /** The driver reads the types when it connects. */
    @Test
    void extensionTypeIsUsableAfterItsMigration() throws Exception {
        get(engine.sql("select 1").map(Integer.class).one());
        script("V1__hstore.sql", "create extension hstore; create table t (h hstore)");
        get(runner.migrate());

        StepVerifier.create(engine.sql("insert into t values (:h)")
                        .bind("h", Map.of("colour", "green"))
                        .update())
                .expectNext(1L)
                .verifyComplete();
    }

    @Override
    String raisedError() {
        return "do 'begin raise exception ''on purpose'' using errcode = ''U0001''; end'";
    }
}
