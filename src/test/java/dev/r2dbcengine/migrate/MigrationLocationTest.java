package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.migrate.internal.find.LocationPattern;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationLocationTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private MigrationTree tree;

    @BeforeEach
    void writeTree() throws IOException {
        tree = new MigrationTree(Files.createDirectory(directory.resolve("tree")));
        tree.write("V1__a.sql", "select 1;");
    }

    private List<String> scripts() throws IOException {
        return scripts(MigrationLocation.of("filesystem:" + tree.root()));
    }

    private static List<String> scripts(MigrationLocation location) throws IOException {
        return location.files().stream().map(MigrationFile::script).sorted().toList();
    }

    @Test
    void linksWithinTheLocationAreFollowedAsInKubernetes() throws IOException {
        tree.write("..2026/V2__b.sql", "select 2;").write("below/V4__d.sql", "select 4;");
        Files.createSymbolicLink(tree.root().resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(tree.root().resolve("V2__b.sql"), Path.of("..data", "V2__b.sql"));
        assertThat(scripts()).containsExactly("V1__a.sql", "V2__b.sql", "below/V4__d.sql");
    }

    @Test
    void locationMayBeALink() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), tree.root());
        assertThat(scripts(MigrationLocation.of("filesystem:" + link))).containsExactly("V1__a.sql");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outside", "outside/V9__x.sql"})
    void linkThatLeadsOutsideIsRefused(String target) throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("V9__x.sql"), "select 9;");
        Files.createSymbolicLink(tree.root().resolve("V9__x.sql"), directory.resolve(target));
        assertThatThrownBy(this::scripts)
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("V9__x.sql leads to", "outside of the location", "location of its own");
    }

    @Test
    void brokenLinkAndLoopAreNamed() throws IOException {
        Path link = Files.createSymbolicLink(tree.root().resolve("V9__x.sql"), Path.of("nowhere"));
        assertThatThrownBy(this::scripts).isInstanceOf(IOException.class).hasMessageContaining("V9__x.sql");
        Files.delete(link);
        Files.createSymbolicLink(tree.root().resolve("loop"), tree.root());
        assertThatThrownBy(this::scripts).isInstanceOf(IOException.class).hasMessageContaining("loop");
    }

    @Test
    void fileAsLocationIsRefused() {
        assertThatThrownBy(() ->
                        scripts(MigrationLocation.of("filesystem:" + tree.root().resolve("V1__a.sql"))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("V1__a.sql is no directory");
    }

    @Test
    void doubleStarMatchesAllLevels() throws IOException {
        tree.write("below/V2__b.sql", "select 2;");
        assertThat(scripts(MigrationLocation.of("filesystem:" + tree.root() + "/**")))
                .containsExactly("V1__a.sql", "below/V2__b.sql");
        assertThat(scripts(MigrationLocation.of("filesystem:/**/tree/V?__a.sql"
                        .replace("/**", tree.root().getParent() + "/**"))))
                .containsExactly("tree/V1__a.sql");
    }

    @Test
    void wildcardsOutsideLocationsAreLiteral() {
        assertThat(LocationPattern.of("/*/x").root()).isEqualTo("/");
        assertThat(LocationPattern.of("a(b/c+*/").script("c+d/V1.sql")).contains("V1.sql");
        assertThat(LocationPattern.of("a\\b*\\c").script("bx/c/V1.sql")).contains("V1.sql");
        assertThat(LocationPattern.of("a/*.sql").script("xsql")).isEmpty();
        assertThat(LocationPattern.of("/").root()).isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:bucket/x", "http://x/y"})
    void unknownPrefixIsRefused(String descriptor) {
        assertThatThrownBy(() -> MigrationLocation.of(descriptor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + descriptor + "'", "classpath:", "filesystem:", "MigrationSource");
    }

    @Test
    void contextClassLoaderIsSearched() throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(new MigrationTree(directory).classPath());
            assertThat(scripts(MigrationLocation.of("tree"))).containsExactly("V1__a.sql");
            thread.setContextClassLoader(null);
            assertThat(scripts(MigrationLocation.of("tree"))).isEmpty();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void rootOfJarIsSearched() throws IOException {
        Path jar = tree.jar(directory.resolve("root.jar"), false);
        assertThat(scripts(MigrationLocation.of("classpath:").classLoader(MigrationTree.classPath(jar))))
                .contains("V1__a.sql");
    }

    @Test
    void jarThatLeadsOutsideIsRefused() throws IOException {
        Path jar = directory.resolve("evil.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("db/", "db/../V1__x.sql")) {
                zip.putNextEntry(new ZipEntry(name));
            }
        }
        assertThatThrownBy(() -> scripts(MigrationLocation.of("db").classLoader(MigrationTree.classPath(jar))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("'../V1__x.sql' in jar:");
    }

    /** A class path of resources that can be opened and not listed, as in a native image. */
    private static final class Unlistable extends ClassLoader {
        private final Map<String, String> resources;

        Unlistable(Map<String, String> resources) {
            super(null);
            this.resources = resources;
        }

        @Override
        protected @Nullable URL findResource(String name) {
            try {
                return resources.containsKey(name) ? new URL(null, "resource:/" + name, new Handler()) : null;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected Enumeration<URL> findResources(String name) {
            URL url = findResource(name);
            return url == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(url));
        }

        private final class Handler extends URLStreamHandler {
            @Override
            protected URLConnection openConnection(URL url) {
                return new URLConnection(url) {
                    @Override
                    public void connect() {}

                    @Override
                    public InputStream getInputStream() {
                        String text = resources.getOrDefault(url.getPath().substring(1), "");
                        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
                    }
                };
            }
        }
    }

    private static MigrationLocation unlistable(String location, Map<String, String> resources) {
        return MigrationLocation.of(location).classLoader(new Unlistable(resources));
    }

    @Test
    void indexIsReadIfClassPathCannotBeListed() throws IOException {
        MigrationLocation location = unlistable(
                "db/migration",
                Map.of(
                        "db/migration", "",
                        "db/migration/migrations.index", "# written by the build\n\nV1__a.sql\n below/V2__b.sql \n",
                        "db/migration/V1__a.sql", "SELECT 1;",
                        "db/migration/below/V2__b.sql", "select 2;"));
        assertThat(scripts(location)).containsExactly("V1__a.sql", "below/V2__b.sql");
        FoundMigrations found = MigrationFinder.find(List.of(location), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY);
        assertThat(found.migrations().get(0).checksum()).isEqualTo(78787420);
    }

    @Test
    void indexInTheRootIsRead() throws IOException {
        assertThat(scripts(unlistable("", Map.of("migrations.index", "V1__a.sql", "V1__a.sql", "select 1;"))))
                .containsExactly("V1__a.sql");
    }

    @Test
    void missingIndexErrorSaysHowToCreateIt() {
        assertThatThrownBy(() -> scripts(unlistable("db", Map.of("db", ""))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll(
                        "resource:/db cannot be listed", "migrations.index", "one script on each line");
    }

    @Test
    void outdatedOrEscapingIndexIsRefused() {
        assertThatThrownBy(() -> scripts(unlistable("db", Map.of("db/migrations.index", "V9__gone.sql"))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("migrations.index names db/V9__gone.sql", "Write the index anew");
        assertThatThrownBy(() -> scripts(unlistable(
                        "db", Map.of("db/migrations.index", "../V9__x.sql", "db/../V9__x.sql", "select 9;"))))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContaining("'../V9__x.sql' in");
    }
}
