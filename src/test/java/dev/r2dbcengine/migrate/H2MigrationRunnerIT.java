package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.testing.Server;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2MigrationRunnerIT extends MigrationRunnerContract {
    H2MigrationRunnerIT() {
        super(Server.H2);
    }

    @Override
    String describeTable() {
        return """
                select column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length, 0) || ' '
                  || is_nullable || ' ' || coalesce(column_default, '') from information_schema.columns
                  where table_name = 'flyway_schema_history'
                union all select index_name || index_type_name || is_generated from information_schema.indexes
                  where table_name = 'flyway_schema_history'
                union all select "installed_rank" || coalesce("version", '') || "description" || "type" || "script"
                  || coalesce("checksum", 0) || "installed_by" || "success" from "flyway_schema_history" order by 1""";
    }

    @ParameterizedTest
    @ValueSource(strings = {"Regular", "PostgreSQL", "MySQL", "MSSQLServer"})
    void databaseOfEachCompatibilityModeIsMigrated(String mode) throws Exception {
        script("V1__t.sql", "create table t(a int);\ninsert into t values (1);")
                .script("R__again.sql", "insert into t values (2);");
        ReactiveEngineCache own = ReactiveEngineCache.create();
        try {
            MigrationRunner there = MigrationRunner.on(own.engine(database.url() + "?options=MODE=" + mode))
                    .locations("filesystem:" + directory);
            assertThat(get(there.migrate()).applied()).hasSize(2);
            assertThat(get(there.migrate()).applied()).isEmpty();
            assertThat(Row.of(get(there.info()))).isEqualTo(Row.ofFlyway(flyway()));
            assertThat(get(database.query("select a from t order by a", Integer.class)))
                    .containsExactly(1, 2);
        } finally {
            own.close().block();
        }
    }

    @Override
    String raisedError() {
        return "call file_read('nowhere')";
    }
}
