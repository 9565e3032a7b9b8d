package dev.r2dbcengine.migrate.internal.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MemorySource;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationLocation;
import dev.r2dbcengine.migrate.MigrationSource;
import dev.r2dbcengine.migrate.MigrationTree;
import dev.r2dbcengine.migrate.V3__Given;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.MigrationScript;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.plan.PlanOptions;
import dev.r2dbcengine.migrate.internal.plan.Planner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationFinderTest {

    private static FoundMigrations find(MigrationSource... sources) throws IOException {
        return find(NamingRules.FLYWAY, sources);
    }

    private static FoundMigrations find(NamingRules rules, MigrationSource... sources) throws IOException {
        return MigrationFinder.find(List.of(sources), rules, PlaceholderSettings.FLYWAY.values(Map.of("env", "test")));
    }

    @Test
    void versionsPrecedeRepeatables() throws IOException {
        FoundMigrations found = find(MemorySource.of(
                "R__b.sql", "V10__c.sql", "V9__b.sql", "U9__b.sql", "B9__b.sql", "R__a.sql", "x/V1__a.sql"));
        assertThat(found.migrations())
                .extracting(FoundMigration::script)
                .containsExactly(
                        "x/V1__a.sql", "V9__b.sql", "B9__b.sql", "U9__b.sql", "V10__c.sql", "R__a.sql", "R__b.sql");
        assertThat(found.warnings()).isEmpty();
    }

    @Test
    void callbacksAreOrderedByEventAndName() throws IOException {
        FoundMigrations found = find(MemorySource.of(
                "V1__a.sql", "afterMigrate.sql", "beforeMigrate__b.sql", "beforeMigrate__a.sql", "beforeMigrate.sql"));
        assertThat(found.callbacks())
                .extracting(callback -> callback.event().id() + " " + callback.description())
                .containsExactly("beforeMigrate ", "beforeMigrate a", "beforeMigrate b", "afterMigrate ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "V1__a.sql V1.0__b.sql",
                "R__a.sql x/R__a.sql",
                "B1__a.sql B01__b.sql",
                "U1__a.sql U1__b.sql",
                "beforeMigrate.sql x/beforeMigrate.sql"
            })
    void duplicateVersionIsRefused(String names) {
        String[] files = names.split(" ");
        assertThatThrownBy(() -> find(MemorySource.of(files)))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("more than one file", files[0] + " and " + files[1], "Keep one")
                .extracting(error -> ((InvalidMigrationException) error).offenders())
                .isEqualTo(List.of(files));
    }

    @Test
    void invalidMigrationNameIsRefused() {
        assertThatThrownBy(() -> find(MemorySource.of("V1__a.sql", "V2_x.sql", "V__x.sql", "x.sql")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll(
                        "V2_x.sql: after 'V' stands '2_x', which is no version",
                        "V__x.sql: after 'V' stands ''",
                        "V1.2__description.sql",
                        "to keep one out, move it out of the location, or end its name in something other than .sql")
                .hasMessageNotContaining(" x.sql");
    }

    @Test
    void otherSqlFileIsWarnedOf() throws IOException {
        assertThat(find(MemorySource.of("V1__a.sql", "Views.sql", "notes.txt", "v2__b.sql", "R1.0__x.sql", "V2__b"))
                        .warnings())
                .containsExactly(
                        "R1.0__x.sql: after 'R' stands '1.0', where '__' belongs",
                        "V2__b: it does not end in .sql",
                        "Views.sql: after 'V' stands 'iews', which is no version",
                        "v2__b.sql: it has no prefix of a migration; prefixes are case-sensitive");
    }

    @Test
    void migrationThatOnlyFlywayRunsIsWarnedOf() throws IOException {
        FoundMigrations found = find(
                MemorySource.of(
                        "V1__a.sql",
                        "db/V2__Code.class",
                        "V3__Given.class",
                        "V2__Code$1.class",
                        "V4__x.SH",
                        "helper.sh",
                        "Other.class",
                        "class",
                        "V5__old.sql.bak"),
                MigrationSource.of(new V3__Given()));
        assertThat(found.warnings())
                .hasSize(2)
                .allMatch(warning -> warning.contains("is named as a migration, but is not run"))
                .anyMatch(warning -> warning.startsWith("V4__x.SH"))
                .anyMatch(warning -> warning.startsWith("db/V2__Code.class"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Views.sql", "R1.0__x.sql", "V2__b"})
    void otherSqlFileIsRefusedIfNamingIsValidated(String name) {
        assertThatThrownBy(() -> find(NamingRules.FLYWAY.strict(true), MemorySource.of("V1__a.sql", name)))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining(name + ": ");
    }

    @Test
    void scriptInSeveralLocationsIsFoundOnce(@TempDir Path directory) throws IOException {
        MigrationTree tree = new MigrationTree(directory)
                .write("d/a/V1__x.sql", "select 1;")
                .write("d/a/R__r.sql", "select 2;")
                .write("d/a/beforeMigrate.sql", "select 3;")
                .write("d/a/V1__x.sql.conf", "executeInTransaction=false")
                .write("d/b/V2__y.sql", "select 4;");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("d/a"));
        Path jar = tree.jar(directory.resolve("m.jar"), true);
        List<String> places =
                List.of("d/a", "d/*", "d/a/*.sql", "d/./a", "d/b/../a", "link", "d", "d/**", "link/../d/*");
        for (String one : places) {
            for (String other : places) {
                FoundMigrations found = find(
                        MigrationLocation.of("filesystem:" + directory.resolve("d/b")),
                        MigrationLocation.of("filesystem:" + directory + "/" + one),
                        MigrationLocation.of("filesystem:" + directory + "/" + other),
                        MigrationLocation.of("classpath:d/a").classLoader(tree.classPath()),
                        MigrationLocation.of("classpath:d/a").classLoader(MigrationTree.classPath(jar)));
                assertThat(found.migrations()).as("%s and %s", one, other).hasSize(3);
                assertThat(found.callbacks()).hasSize(1);
            }
        }
    }

    @Test
    void siblingLocationIsReadInEverySpelling(@TempDir Path directory) throws IOException {
        new MigrationTree(directory).write("a/V1__x.sql", "select 1;").write("b/V2__y.sql", "select 2;");
        assertThat(find(
                                MigrationLocation.of("filesystem:" + directory + "/a"),
                                MigrationLocation.of("filesystem:" + directory + "/a/../b"))
                        .migrations())
                .hasSize(2);
    }

    @Test
    void sameNameWithOtherTextIsRefused(@TempDir Path directory) throws IOException {
        new MigrationTree(directory).write("a/V1__x.sql", "select 1;").write("b/V1__x.sql", "select 2;");
        assertThatThrownBy(() -> find(
                        MigrationLocation.of("filesystem:" + directory + "/a"),
                        MigrationLocation.of("filesystem:" + directory + "/b")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("more than one file for version 1");
    }

    @Test
    void emptyLocationsAreWarnedOf() throws IOException {
        assertThat(find(MigrationLocation.of("db/none"), MigrationLocation.of("filesystem:/none"))
                        .warnings())
                .containsExactly(
                        "No migration was found in [classpath:db/none, filesystem:/none]. Check the locations: as long"
                                + " as there is none, migrate() creates neither schemas nor history");
    }

    @Test
    void coveredLocationIsSkipped() throws IOException {
        assertThat(find(
                                MigrationLocation.of("db/none/below"),
                                MigrationLocation.of("db/none"),
                                MigrationLocation.of("db/none/"),
                                MigrationLocation.of("db/nonesuch"),
                                MigrationLocation.of("db/none/*"),
                                MigrationLocation.of("filesystem:db/none"),
                                MigrationLocation.of("db/none").classLoader(new ClassLoader() {}))
                        .warnings())
                .containsExactly(
                        "classpath:db/none/ is left out, since classpath:db/none holds it",
                        "classpath:db/none/below is left out, since classpath:db/none holds it",
                        "No migration was found in [classpath:db/none/below, classpath:db/none, classpath:db/none/,"
                                + " classpath:db/nonesuch, classpath:db/none/*, filesystem:db/none, classpath:db/none]."
                                + " Check the locations: as long as there is none, migrate() creates neither schemas"
                                + " nor history");
    }

    @Test
    void settingsOfScriptsAreRead() throws IOException {
        FoundMigrations found = find(MemorySource.of("V1__a.sql", "beforeMigrate.sql")
                .with("V1__a.sql.conf", "executeInTransaction=false\nencoding=UTF-16\nshouldExecute=${env}==prod")
                .with("beforeMigrate.sql.conf", "placeholderReplacement=false")
                .with("V2__b.sql.conf", "encoding=UTF-8"));
        MigrationScript script = (MigrationScript) found.migrations().get(0).content();
        assertThat(script.settings().executeInTransaction()).isFalse();
        assertThat(script.encoding()).isEqualTo(StandardCharsets.UTF_16);
        assertThat(script.executes()).isFalse();
        assertThat(script).hasToString("V1__a.sql");
        MigrationScript callback = found.callbacks().get(0).script();
        assertThat(callback.settings().placeholderReplacement()).isFalse();
        assertThat(callback.executes()).isTrue();
        assertThat(callback.file().script()).isEqualTo("beforeMigrate.sql");
        assertThat(found.warnings())
                .containsExactly("V2__b.sql.conf says nothing: there is no script that it belongs to");
    }

    @Test
    void checksumOfRepeatableWithoutReplacementIsOfItsText() throws IOException {
        FoundMigrations found = find(MemorySource.of()
                .with("R__a.sql", "select '${env}';")
                .with("R__b.sql", "select '${env}';")
                .with("R__a.sql.conf", "placeholderReplacement=false"));
        FoundMigration asItStands = found.migrations().get(0);
        FoundMigration replaced = found.migrations().get(1);
        assertThat(asItStands.checksum()).isNotEqualTo(replaced.checksum());
        assertThat(replaced.content().matches(asItStands.checksum())).isTrue();
        assertThat(asItStands.content().matches(replaced.checksum())).isFalse();
    }

    @Test
    void scriptIsOpenedOnceForItsChecksum() throws IOException {
        AtomicInteger opened = new AtomicInteger();
        MigrationFile file = MigrationFile.of("V1__a.sql", () -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream("SELECT 1;".getBytes(StandardCharsets.UTF_8));
        });
        FoundMigration found = find(() -> List.of(file)).migrations().get(0);
        assertThat(Planner.plan(List.of(found), List.of(), PlanOptions.DEFAULT).pending())
                .hasSize(1);
        assertThat(opened).hasValue(0);
        assertThat(found.checksum()).isEqualTo(78787420).isEqualTo(found.checksum());
        assertThat(opened).hasValue(1);
    }

    @Test
    void unreadableFileIsNamed() throws IOException {
        MigrationFile file = MigrationFile.of(
                "V1__a.sql", () -> new ByteArrayInputStream("select 'ä';".getBytes(StandardCharsets.ISO_8859_1)));
        FoundMigration found = find(() -> List.of(file)).migrations().get(0);
        assertThatThrownBy(found::checksum)
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("V1__a.sql: it is not text in UTF-8", "encoding")
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(found).hasToString("V1__a.sql");
    }
}
