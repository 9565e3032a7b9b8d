package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flyway is the judge of what is found, of its names and of its checksums: the same files, wherever they lie. */
class FlywayFinderTest {

    private static final List<String> CONTENTS = List.of(
            "select 1;\n",
            "select 1;\r\n-- two lines\r\n",
            "select 1;\r-- an old Macintosh\r",
            "\uFEFFselect 'with a byte order mark';",
            "\n\n\nselect 1;\n\n\n",
            "-- é ü ß\nselect '€ 漢字 😀';\n",
            "",
            "\uFEFF",
            "select '\uFEFF in the middle';\n\uFEFF",
            "  trailing and leading blanks  \n\t\n",
            "a\u0000b\u2028c\u0085d\fe",
            "no newline at the end",
            "\r\n\n\r");

    private static final List<String> NAMES = List.of(
            "V%d__plain.sql",
            "V%d.11__two_words.sql",
            "V%d_1__with_underscores_in_version.sql",
            "V%d.2__with.dots.sql",
            "V0%d.3__UPPER.SQL",
            "V%d.4__a__b___c.sql",
            "V%d.5.sql",
            "V%d.6__.sql",
            "V%d.7___leading.sql",
            "R__view_%d.sql",
            "R__umlaut_ä_%d.sql",
            "R__100%%_and_#%d+.sql",
            "R__with blank %d.sql",
            "deep/er/V%d.8__deep.sql",
            "deep/R__deep_%d.sql",
            "B%d.9__base.sql",
            "other.d/V%d.10__dotted_folder.sql");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private MigrationTree tree;

    @BeforeEach
    void writeTree() throws IOException {
        tree = new MigrationTree(Files.createDirectory(directory.resolve("tree with blank")));
        int content = 0;
        for (int version = 1; version <= 5; version++) {
            for (String name : NAMES) {
                tree.write(
                        "judged/migration/" + String.format(name, version), CONTENTS.get(content++ % CONTENTS.size()));
            }
        }
        tree.write("judged/other/V900__other.sql", "other").write("judged/migrations/V901__not_here.sql", "not");
        tree.write("judged/migration/.hidden/V902__hidden.sql", "hidden").write("judged/migration/notes.txt", "notes");
    }

    private static List<Row> ours(ClassLoader loader, Charset charset, String... locations) throws IOException {
        List<MigrationLocation> places = Arrays.stream(locations)
                .map(place -> MigrationLocation.of(place).classLoader(loader).encoding(charset))
                .toList();
        FoundMigrations found = MigrationFinder.find(places, NamingRules.FLYWAY, PlaceholderSettings.FLYWAY);
        return sorted(found.migrations().stream()
                .map(migration -> Row.of(new MigrationStatus(MigrationState.PENDING, migration, null)))
                .toList());
    }

    private static List<Row> flyways(ClassLoader loader, Charset charset, String... locations) throws SQLException {
        try (FlywayDatabase database = new FlywayDatabase()) {
            Flyway flyway =
                    database.configure(loader, locations).encoding(charset).load();
            return sorted(Row.ofFlyway(flyway).stream()
                    .map(row -> new Row(
                            MigrationState.PENDING.displayName(),
                            row.version(),
                            row.description(),
                            row.type(),
                            row.script(),
                            row.checksum(),
                            null))
                    .toList());
        }
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream().sorted(Comparator.comparing(Row::script)).toList();
    }

    private static void judge(int least, ClassLoader loader, String... locations) throws IOException, SQLException {
        judge(least, loader, StandardCharsets.UTF_8, locations);
    }

    private static void judge(int least, ClassLoader loader, Charset charset, String... locations)
            throws IOException, SQLException {
        List<Row> found = ours(loader, charset, locations);
        assertThat(found).isEqualTo(flyways(loader, charset, locations)).hasSizeGreaterThanOrEqualTo(least);
    }

    private String filesystem(String path) {
        return "filesystem:" + tree.root().resolve(path);
    }

    @Test
    void directoryIsSearchedAsByFlyway() throws IOException, SQLException {
        judge(85, getClass().getClassLoader(), filesystem("judged/migration"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "classpath:judged/migration",
                "judged/migration",
                "classpath:/judged/migration/",
                "classpath:judged/other"
            })
    void classPathIsSearchedAsByFlyway(String location) throws IOException, SQLException {
        judge(1, tree.classPath(), location);
        judge(1, MigrationTree.classPath(tree.jar(directory.resolve("m.jar"), true)), location);
    }

    /** Flyway takes "judged/migrations" for a part of "judged/migration" there. */
    @Test
    void jarsWithoutDirectoryEntriesAreSearched() throws IOException, SQLException {
        ClassLoader with = MigrationTree.classPath(tree.jar(directory.resolve("m.jar"), true));
        ClassLoader without = MigrationTree.classPath(tree.jar(directory.resolve("n.jar"), false));
        assertThat(ours(without, StandardCharsets.UTF_8, "judged/migration"))
                .isEqualTo(flyways(with, StandardCharsets.UTF_8, "judged/migration"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "judged/*",
                "judged/**/deep",
                "*/other",
                "**/er",
                "judged/m?gration/deep",
                "judged/migration/**/V*.sql",
                "judged/migration/V1__*.sql",
                "judged/migration/*.d",
                "judged/m*n",
                "judged/migration/**/*.sql",
                "judged/nothing*/at/all"
            })
    void wildcardsMatchAsWithFlyway(String path) throws IOException, SQLException {
        judge(0, getClass().getClassLoader(), filesystem(path));
        judge(0, tree.classPath(), "classpath:" + path);
        if (!path.startsWith("*")) {
            judge(0, MigrationTree.classPath(tree.jar(directory.resolve("m.jar"), true)), "classpath:" + path);
        }
    }

    @Test
    void severalLocationsAreSearchedAsByFlyway() throws IOException, SQLException {
        judge(
                87,
                tree.classPath(),
                "classpath:judged/migration",
                "classpath:judged/other",
                filesystem("judged/migrations"));
        judge(
                87,
                tree.classPath(),
                "classpath:judged/migration",
                "classpath:judged",
                "classpath:judged/migration/deep");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"judged/*", "judged/migration/", "judged/./migration", "judged/other/../migration", "judged/m*n"
            })
    void scriptInOverlappingLocationsIsFoundOnce(String other) throws IOException, SQLException {
        String first = filesystem("judged/migration");
        judge(85, getClass().getClassLoader(), first, "filesystem:" + tree.root() + "/" + other);
        judge(85, tree.classPath(), first, "classpath:judged/migration");
        judge(
                85,
                MigrationTree.classPath(tree.jar(directory.resolve("m.jar"), true)),
                first,
                "classpath:judged/migration");
    }

    @Test
    void namesWithoutPrefixAreReadAsByFlyway() throws IOException, SQLException {
        MigrationTree other = new MigrationTree(directory.resolve("bare"));
        other.write("1__a.sql", "select 1;")
                .write("2_1__b.sql", "select 2;")
                .write("R__r.sql", "select 3;")
                .write("B0.5__b.sql", "select 4;")
                .write("Views.sql", "select 5;");
        String location = "filesystem:" + other.root();
        FoundMigrations found = MigrationFinder.find(
                List.of(MigrationLocation.of(location)),
                NamingRules.FLYWAY.prefix(MigrationKind.VERSIONED, ""),
                PlaceholderSettings.FLYWAY);
        try (FlywayDatabase database = new FlywayDatabase()) {
            Flyway flyway = database.configure(getClass().getClassLoader(), location)
                    .sqlMigrationPrefix("")
                    .load();
            assertThat(found.migrations())
                    .extracting(ResolvedMigration::script)
                    .containsExactlyElementsOf(
                            Row.ofFlyway(flyway).stream().map(Row::script).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "UTF-16", "windows-1252"})
    void otherEncodingsAreReadAsByFlyway(String charset) throws IOException, SQLException {
        MigrationTree other = new MigrationTree(directory.resolve("encoded"));
        other.write("judged/V1__umlaut.sql", "select 'ä ö ü';\r\n-- é", Charset.forName(charset));
        judge(1, other.classPath(), Charset.forName(charset), "judged");
        judge(
                1,
                other.classPath(),
                Charset.forName(charset),
                "filesystem:" + other.root().resolve("judged"));
    }

    @Test
    void encodingOfOneScriptIsReadAsByFlyway() throws IOException, SQLException {
        MigrationTree other = new MigrationTree(directory.resolve("encoded"));
        other.write("V1__umlaut.sql", "select 'ä ö ü';", StandardCharsets.ISO_8859_1)
                .write("V1__umlaut.sql.conf", "encoding=ISO-8859-1")
                .write("V2__euro.sql", "select '€';");
        judge(2, other.classPath(), "filesystem:" + other.root());
    }

    @Test
    @Tag("interoperation")
    void nestedJarsAreSearched() throws IOException, SQLException, InterruptedException {
        MigrationTree application = new MigrationTree(Files.createDirectories(directory.resolve("application")));
        application
                .write("judged/migration/V800__of_the_application.sql", "select 800;")
                .write("judged/migration/R__100%_of_it.sql", "select 801;");
        ClassLoader plain = MigrationTree.classPath(application.root(), tree.jar(directory.resolve("m.jar"), true));
        String told = FatJar.run(directory, application, tree, "classpath:judged/migration");
        assertThat(told.lines())
                .containsExactlyElementsOf(flyways(plain, StandardCharsets.UTF_8, "classpath:judged/migration").stream()
                        .map(row -> row.script() + " " + row.checksum())
                        .sorted()
                        .toList())
                .hasSizeGreaterThan(87);
    }
}
