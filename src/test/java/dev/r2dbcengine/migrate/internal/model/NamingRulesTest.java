package dev.r2dbcengine.migrate.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.internal.model.FileName.CallbackName;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import dev.r2dbcengine.migrate.internal.model.FileName.Stray;
import java.util.Arrays;
import java.util.Locale;
import org.flywaydb.core.api.callback.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamingRulesTest {

    private static String told(FileName name) {
        if (name instanceof MigrationName migration) {
            return migration.kind() + ":" + migration.version() + ":" + migration.description();
        }
        if (name instanceof CallbackName callback) {
            return callback.event().id() + ":" + callback.description();
        }
        if (name instanceof Stray stray) {
            return stray.meantAsMigration() ? "error" : "warning";
        }
        return "other";
    }

    @ParameterizedTest
    @CsvSource({
        "V1__init.sql, VERSIONED:1:init",
        "V1_2__two_words.sql, VERSIONED:1.2:two words",
        "V1.sql, VERSIONED:1:''",
        "V1__.sql, VERSIONED:1:''",
        "V1__a__b.sql, VERSIONED:1:a  b",
        "V1___a.sql, VERSIONED:1: a",
        "V1__init.SQL, VERSIONED:1:init",
        "V1__init.sQl, VERSIONED:1:init",
        "V007__init.sql, VERSIONED:007:init",
        "R__view.sql, REPEATABLE:null:view",
        "R__.sql, REPEATABLE:null:''",
        "B3__all.sql, BASELINE:3:all",
        "U1.1__init.sql, UNDO:1.1:init",
        "beforeMigrate.sql, beforeMigrate:''",
        "beforeMigrate__tune_it.sql, beforeMigrate:tune it",
        "beforeEachMigrate.sql, beforeEachMigrate:''",
        "afterMigrateError__tell.sql, afterMigrateError:tell",
        "afterVersioned.sql, afterVersioned:''",
        "V2_x.sql, error",
        "V__x.sql, error",
        "V1.x__y.sql, error",
        "V1-2__y.sql, error",
        "V_1__y.sql, error",
        "R1__x.sql, warning",
        "R1.0__x.sql, warning",
        "R_x.sql, warning",
        "U__x.sql, error",
        "B.sql, warning",
        "R.sql, warning",
        "V.sql, warning",
        "Views.sql, warning",
        "README.sql, warning",
        "Backup.sql, warning",
        "v1__x.sql, warning",
        "data.sql, warning",
        "._V1__x.sql, warning",
        "beforeMigrate2.sql, warning",
        "beforeMigrate_x.sql, warning",
        "beforeConnect.sql, warning",
        ".sql, warning",
        "V1__init.sql.conf, other",
        "V1__init.sh, other",
        "V1__init, warning",
        "V1.2, warning",
        "R__view, warning",
        "V1__init.d, other",
        "README, other",
        "sql, other",
    })
    void namesAreRead(String file, String expected) {
        assertThat(told(NamingRules.FLYWAY.read(file)).replace(":", "|"))
                .isEqualTo(expected.replace("''", "").replace(":", "|"));
    }

    @Test
    void namesAreReadByOtherRules() {
        NamingRules rules = NamingRules.FLYWAY
                .prefix(MigrationKind.VERSIONED, "Migration-")
                .prefix(MigrationKind.REPEATABLE, "M")
                .separator("--")
                .suffixes(".pg.sql", ".ddl");
        assertThat(told(rules.read("Migration-1.2--a_b.ddl"))).isEqualTo("VERSIONED:1.2:a b");
        assertThat(told(rules.read("M--a.PG.SQL"))).isEqualTo("REPEATABLE:null:a");
        assertThat(told(rules.read("Migration-1__a.ddl"))).isEqualTo("error");
        assertThat(told(rules.read("Migration-1--a.sql"))).isEqualTo("other");
        assertThat(rules.example()).isEqualTo("Migration-1.2--description.pg.sql");
        assertThat(rules.strict(true).strict()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "'', R, 1__a.sql, VERSIONED:1:a",
        "'', R, R__foo_table.sql, REPEATABLE:null:foo table",
        "'', R, B2__a.sql, BASELINE:2:a",
        "'', R, U1__a.sql, UNDO:1:a",
        "'', R, afterMigrate.sql, afterMigrate:''",
        "'', R, V1__a.sql, warning",
        "'', R, Views.sql, warning",
        "'', R, 1_a.sql, error",
        "'', R, 1__a, warning",
        "V, '', __a.sql, REPEATABLE:null:a",
        "V, '', V1__a.sql, VERSIONED:1:a",
        "V, '', view__a.sql, warning",
        "X, X, X1__a.sql, VERSIONED:1:a",
        "X, X, X__a.sql, REPEATABLE:null:a",
        "'', '', __a.sql, REPEATABLE:null:a",
        "B, R, B1__a.sql, VERSIONED:1:a",
        "U, R, U1__a.sql, VERSIONED:1:a",
    })
    void emptyOrSharedPrefixDistinguishesKinds(String versioned, String repeatable, String file, String expected) {
        NamingRules rules = NamingRules.FLYWAY
                .prefix(MigrationKind.VERSIONED, versioned)
                .prefix(MigrationKind.REPEATABLE, repeatable);
        assertThat(told(rules.read(file)).replace(":", "|"))
                .isEqualTo(expected.replace("''", "").replace(":", "|"));
    }

    @Test
    void eventsEqualFlyways() {
        assertThat(CallbackEvent.values())
                .extracting(CallbackEvent::id)
                .isSubsetOf(Arrays.stream(Event.values()).map(Event::getId).toList());
        assertThat(Event.values()).allSatisfy(event -> {
            FileName read = NamingRules.FLYWAY.read(event.getId() + "__x.sql");
            if (read instanceof Stray stray) {
                assertThat(stray.why()).endsWith("is not run here: " + event.getId());
            } else {
                assertThat(read).isInstanceOf(CallbackName.class);
            }
        });
        assertThat(MigrationState.values())
                .extracting(state -> state.name() + state.displayName() + state + state.failed())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(org.flywaydb.core.api.MigrationState.values())
                        .map(state -> state.name() + state.getDisplayName() + state.getDisplayName() + state.isFailed())
                        .toList());
    }

    @Test
    void typesAreReadInAnyCaseAndByFormerNames() {
        assertThat(MigrationType.of("sql")).isEqualTo(MigrationType.SQL).hasToString("SQL");
        assertThat(MigrationType.of("spring_jdbc")).isEqualTo(MigrationType.JDBC);
        assertThat(MigrationType.of("SQL_STATE_SCRIPT")).isEqualTo(MigrationType.SQL_BASELINE);
        assertThat(MigrationType.of("Made_Up").name()).isEqualTo("Made_Up".toUpperCase(Locale.ROOT));
    }
}
