package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

class MariaDbMigrationRunnerIT extends MySqlFamilyMigrationRunnerContract {
    MariaDbMigrationRunnerIT() {
        super(Server.MARIADB);
    }

    /** So begin dumps of phpMyAdmin. */
    @Test
    void scriptThatDisablesAutocommitIsRecorded() throws Exception {
        script("V1__t.sql", "create table t(a int);\nset autocommit = 0;\ninsert into t values (1);\ncommit;");
        get(runner.migrate());
        assertThat(get(database.query("select count(*) from flyway_schema_history where success", Long.class)))
                .containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void sessionVariablesAreResetAfterScript(String driver) throws Exception {
        script(
                        "V1__t.sql",
                        "create table t(a int primary key, b int, foreign key (b) references t(a));\n/*!40014 set autocommit ="
                                + " 0, foreign_key_checks = 0, sql_safe_updates = 1, sql_mode = 'ANSI_QUOTES' */;")
                .script("V2__update.sql", "update t set b = 1;\ninsert into t values (2, \"2\");")
                .script("V3__orphan.sql", "insert into t values (3, 1);");
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        Engine engine = engines.engine(database.url().replace("r2dbc:mariadb:", "r2dbc:" + driver + ":"));
        StepVerifier.create(MigrationRunner.on(engine)
                        .locations("filesystem:" + directory)
                        .migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("V3__orphan.sql, line 1", "Migrations applied before it: 2."))
                .verify();
        engines.close().block();
        assertThat(get(database.query("select count(*) from flyway_schema_history where success", Long.class)))
                .containsExactly(2L);
    }

    /** A routine keeps the mode in which it was created: after a script that changed the mode, too. */
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void ignoreSpaceModeIsSupportedByEachDriver(String driver) throws Exception {
        script("V1__t.sql", "create table t(a int);\ninsert into t select count (*) from t;\nset sql_mode = 'ANSI';")
                .script("V2__p.sql", "create procedure p() select count (*) from t;");
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        Engine engine = engines.engine(database.url().replace("r2dbc:mariadb:", "r2dbc:" + driver + ":"));
        get(MigrationRunner.on(engine).locations("filesystem:" + directory).migrate());
        engines.close().block();
        assertThat(get(database.query(
                        "select sql_mode from information_schema.routines where routine_schema = database()",
                        String.class)))
                .singleElement()
                .asString()
                .contains("IGNORE_SPACE")
                .doesNotContain("ANSI");
    }

    /** Without transactional DDL the row that precedes the next script is the first statement that can check. */
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void lockLostDuringScriptStopsRunBeforeNextScript(String driver) throws Exception {
        script("V1__t.sql", "create table t(a int);\ndo release_all_locks();")
                .script("V2__u.sql", "create table u(a int);");
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        Engine engine = engines.engine(database.url().replace("r2dbc:mariadb:", "r2dbc:" + driver + ":"));
        StepVerifier.create(MigrationRunner.on(engine)
                        .locations("filesystem:" + directory)
                        .migrate())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll(
                                "V2__u.sql: the migration to version 2 failed: the session does not hold the lock",
                                "Nothing of it was done. Migrations applied before it: 1."))
                .verify();
        engines.close().block();
        assertThat(get(database.query("select script from flyway_schema_history where success", String.class)))
                .containsExactly("V1__t.sql");
        assertThat(get(database.query(
                        "select table_name from information_schema.tables where table_schema = database()"
                                + " and table_name in ('t', 'u')",
                        String.class)))
                .containsExactly("t");
    }

    @Test
    void schemaIsResetAfterScriptWithUse() throws Exception {
        String other = "other_" + database.name();
        script("V1__other.sql", "create database " + other + ";\nuse " + other + ";\ncreate table a(n int);")
                .script("V2__own.sql", "create table b(n int);");
        try {
            assertThat(get(runner.migrate()).applied()).hasSize(2);
            assertThat(get(database.query(
                            "select concat(table_schema, '.', table_name) from information_schema.tables"
                                    + " where table_schema in (database(), '" + other + "') order by table_name",
                            String.class)))
                    .containsExactly(other + ".a", database.name() + ".b", database.name() + ".flyway_schema_history");
            assertThat(get(database.query(
                            "select script from flyway_schema_history where success order by installed_rank",
                            String.class)))
                    .containsExactly("V1__other.sql", "V2__own.sql");
        } finally {
            get(database.execute("drop database if exists " + other).thenReturn(other));
        }
    }
}
