package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locations that hold what is no script, or lead elsewhere. */
class HostileFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private MigrationTree tree;

    @BeforeEach
    void writeTree() throws IOException {
        tree = new MigrationTree(Files.createDirectory(directory.resolve("tree"))).write("V1__a.sql", "select 1;");
    }

    private FoundMigrations find(MigrationLocation location) throws IOException {
        return MigrationFinder.find(List.of(location), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY);
    }

    private MigrationLocation location(String below) {
        return MigrationLocation.of("filesystem:" + tree.root() + below);
    }

    private static void run(String... command) throws Exception {
        assumeTrue(Files.isExecutable(Path.of(command[0])), command[0]);
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    /* To open it would wait for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"V2__pipe.sql", "pipe"})
    void pipeIsRefused(String name) throws Exception {
        run("/usr/bin/mkfifo", tree.root().resolve(name).toString());
        assertThatThrownBy(() -> find(location("")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll(name, "neither a file nor a directory");
    }

    @Test
    void linkToDeviceIsRefused() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/zero")));
        Files.createSymbolicLink(tree.root().resolve("V2__zero.sql"), Path.of("/dev/zero"));
        assertThatThrownBy(() -> find(location("")))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("V2__zero.sql leads to /dev/zero", "outside of the location");
    }

    @Test
    void linkToPipeInsideIsRefused() throws Exception {
        run("/usr/bin/mkfifo", tree.root().resolve(".pipe").toString());
        Files.createSymbolicLink(tree.root().resolve("V2__pipe.sql"), Path.of(".pipe"));
        assertThatThrownBy(() -> find(location(""))).isInstanceOf(InvalidMigrationException.class);
    }

    @Test
    void directoryNamedLikeAScriptIsSearched() throws IOException {
        tree.write("V2__b.sql/V3__c.sql", "select 3;");
        assertThat(find(location("")).migrations())
                .map(ResolvedMigration::script)
                .containsExactly("V1__a.sql", "V2__b.sql/V3__c.sql");
    }

    /* A location is the user's own, and may be written as he likes; names below it are as they are without the detour. */
    @Test
    void dotsInLocationAreResolved() throws IOException {
        tree.write("below/V2__b.sql", "select 2;");
        assertThat(find(location("/below/../../tree")).migrations())
                .map(ResolvedMigration::script)
                .containsExactly("V1__a.sql", "below/V2__b.sql");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tree/../outside", "../outside", "/../outside"})
    void dotsCannotLeaveTheClassPath(String path) throws IOException {
        new MigrationTree(directory.resolve("outside")).write("V9__x.sql", "select 9;");
        MigrationLocation location = MigrationLocation.of("classpath:" + path).classLoader(tree.classPath());
        assertThat(find(location).migrations()).isEmpty();
    }

    @Test
    void unreadableFileIsNamed() throws IOException {
        MigrationSource source = () -> List.of(MigrationFile.of("V1__shut.sql", () -> {
            throw new AccessDeniedException("V1__shut.sql");
        }));
        ResolvedMigration found = MigrationFinder.find(List.of(source), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY)
                .migrations()
                .get(0);
        assertThatThrownBy(found::checksum)
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("Cannot read V1__shut.sql")
                .hasCauseInstanceOf(AccessDeniedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"db/../V2__x.sql", "db//etc/V2__x.sql", "db/..\\..\\V2__x.sql", "db/a/../../V2__x.sql"})
    void jarEntryThatLeadsOutsideIsRefused(String name) throws IOException {
        Path jar = directory.resolve("evil.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String entry : List.of("db/", "db/V1__a.sql", name)) {
                zip.putNextEntry(new ZipEntry(entry));
            }
        }
        assertThatThrownBy(() -> find(MigrationLocation.of("db").classLoader(MigrationTree.classPath(jar))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("leads out of the location");
    }
}
