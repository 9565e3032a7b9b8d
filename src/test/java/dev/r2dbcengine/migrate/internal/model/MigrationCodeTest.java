package dev.r2dbcengine.migrate.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.migrate.Idle;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.MigrationSource;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MigrationCodeTest {

    private static final class V1_2__Fill_names implements Idle {}

    private static final class R__Totals implements Idle {
        @Override
        public Integer checksum() {
            return 7;
        }
    }

    private static final class B3__All implements Idle {}

    private static final class U3__All implements Idle {}

    private static final class Seed implements Idle {}

    private record Named(@Nullable MigrationVersion version, String description) implements Idle {}

    private static FoundMigration resolve(Migration migration) throws IOException {
        return MigrationFinder.find(
                        List.of(MigrationSource.of(migration)), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY)
                .migrations()
                .get(0);
    }

    private static void is(FoundMigration found, @Nullable String version, String description, String type) {
        assertThat(found.version()).isEqualTo(version == null ? null : MigrationVersion.of(version));
        assertThat(found.description()).isEqualTo(description);
        assertThat(found.type().name()).isEqualTo(type);
        assertThat(found.content().executes()).isTrue();
    }

    @Test
    void nameIsReadFromTheClass() throws IOException {
        FoundMigration found = resolve(new V1_2__Fill_names());
        is(found, "1.2", "Fill names", "JDBC");
        assertThat(found.script()).isEqualTo(V1_2__Fill_names.class.getName()).isEqualTo(found.origin());
        assertThat(found.checksum()).isNull();
        assertThat(new V1_2__Fill_names().inTransaction()).isTrue();
        is(resolve(new R__Totals()), null, "Totals", "JDBC");
        is(resolve(new B3__All()), "3", "All", "JDBC_BASELINE");
        is(resolve(new U3__All()), "3", "All", "UNDO_JDBC");
    }

    @Test
    void codeMayOverrideItsName() throws IOException {
        is(resolve(new Named(MigrationVersion.of("4"), "by hand")), "4", "by hand", "JDBC");
        is(resolve(new Named(null, "again")), null, "again", "JDBC");
    }

    @Test
    void changedChecksumRunsAgain() throws IOException {
        FoundMigration found = resolve(new R__Totals());
        assertThat(found.content().matches(7)).isTrue();
        assertThat(found.content().matches(8)).isFalse();
        assertThat(found.content().matches(null)).isFalse();
    }

    @Test
    void classWithoutValidNameIsRefused() {
        assertThatThrownBy(() -> resolve(new Seed()))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll(Seed.class.getName(), "V1_2__Description", "override version()");
    }

    @Test
    void duplicatesAreReportedByClass() {
        MigrationSource twins = MigrationSource.of(new V1_2__Fill_names(), new Named(MigrationVersion.of("1.2"), "x"));
        assertThatThrownBy(() -> MigrationFinder.find(List.of(twins), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY))
                .hasMessageContainingAll(V1_2__Fill_names.class.getName(), Named.class.getName());
        assertThat(twins).hasToString("code");
    }
}
