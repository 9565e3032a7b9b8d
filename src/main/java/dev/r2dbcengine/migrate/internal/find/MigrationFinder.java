package dev.r2dbcengine.migrate.internal.find;

import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationLocation;
import dev.r2dbcengine.migrate.MigrationSource;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.CallbackScript;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.FileName.CallbackName;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import dev.r2dbcengine.migrate.internal.model.FileName.Stray;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.MigrationCode;
import dev.r2dbcengine.migrate.internal.model.MigrationContent;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.model.MigrationScript;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.model.ScriptSettings;
import dev.r2dbcengine.migrate.internal.plan.Planner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists the files of all sources, reads their names, and rejects ambiguous ones. Blocks. */
public final class MigrationFinder {

    private static final String CONF = ".conf";

    /** The extensions of files that Flyway runs and this library does not: shell scripts, and classes in locations. */
    private static final Set<String> LEFT_OUT = Set.of("class", "cmd", "bat", "ps1", "py", "sh", "bash");

    private final NamingRules rules;
    private final PlaceholderSettings placeholders;
    private final List<FoundMigration> migrations = new ArrayList<>();
    private final List<CallbackScript> callbacks = new ArrayList<>();
    private final Map<String, Stray> strays = new TreeMap<>();
    private final List<MigrationFile> leftOut = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private MigrationFinder(NamingRules rules, PlaceholderSettings placeholders) {
        this.rules = rules;
        this.placeholders = placeholders;
    }

    public static FoundMigrations find(
            List<? extends MigrationSource> sources, NamingRules rules, PlaceholderSettings placeholders)
            throws IOException {
        MigrationFinder finder = new MigrationFinder(rules, placeholders);
        for (MigrationSource source : finder.withoutCovered(sources)) {
            finder.read(source);
        }
        if (finder.migrations.isEmpty()) {
            finder.warnings.add("No migration was found in " + sources
                    + ". Check the locations: as long as there is none, migrate() creates neither schemas nor history");
        }
        finder.judgeStrays();
        finder.warnOfLeftOut();
        return finder.found();
    }

    /** Removes locations within another location, so that each file is found once. */
    private List<MigrationSource> withoutCovered(List<? extends MigrationSource> sources) {
        List<MigrationSource> kept = new ArrayList<>();
        sources.stream()
                .sorted(Comparator.comparing(Object::toString))
                .forEach(source -> kept.stream()
                        .filter(outer -> covers(outer, source))
                        .findFirst()
                        .ifPresentOrElse(
                                outer -> warnings.add(source + " is left out, since " + outer + " holds it"),
                                () -> kept.add(source)));
        return kept;
    }

    private static boolean covers(MigrationSource outer, MigrationSource inner) {
        return outer instanceof MigrationLocation place
                && inner instanceof MigrationLocation other
                && place.covers(other);
    }

    private void read(MigrationSource source) throws IOException {
        source.migrations().forEach(code -> migrations.add(new MigrationCode(code).resolve()));
        Map<String, MigrationFile> settings = new HashMap<>();
        List<MigrationFile> scripts = new ArrayList<>();
        for (MigrationFile file : source.files()) {
            if (FileName.of(file).endsWith(CONF)) {
                settings.put(file.origin(), file);
            } else {
                scripts.add(file);
            }
        }
        for (MigrationFile script : scripts) {
            read(script, settings.remove(script.origin() + CONF));
        }
        settings.keySet().stream()
                .sorted()
                .forEach(conf -> warnings.add(conf + " says nothing: there is no script that it belongs to"));
    }

    private void read(MigrationFile file, @Nullable MigrationFile conf) throws IOException {
        FileName name = rules.read(FileName.of(file));
        if (!(name instanceof FileName.Other)) {
            refuseHidden(file);
        }
        ScriptSettings settings = conf == null ? ScriptSettings.NONE : ScriptSettings.read(conf);
        if (name instanceof MigrationName migration) {
            boolean repeatable = migration.kind() == MigrationKind.REPEATABLE;
            MigrationScript script = new MigrationScript(file, settings, placeholders, repeatable);
            migrations.add(
                    new FoundMigration(migration, migration.kind().scriptType(), file.script(), file.origin(), script));
        } else if (name instanceof CallbackName callback) {
            MigrationScript script = new MigrationScript(file, settings, placeholders, false);
            callbacks.add(new CallbackScript(callback.event(), callback.description(), script));
        } else if (name instanceof Stray stray) {
            strays.put(file.origin(), stray);
        } else if (isLeftOut(FileName.of(file))) {
            leftOut.add(file);
        }
    }

    /** Rejects control characters, with which a name reads as another one in logs and in the history. */
    private static void refuseHidden(MigrationFile file) {
        if (file.script().codePoints().anyMatch(Printable::acts)) {
            throw new InvalidMigrationException(
                    "The name of '" + file.origin() + "' holds a character that is not to be seen. Rename it",
                    file.origin());
        }
    }

    private boolean isLeftOut(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return LEFT_OUT.contains(fileName.substring(dot + 1).toLowerCase(Locale.ROOT))
                && !fileName.contains("$")
                && rules.suffixes("").read(fileName.substring(0, Math.max(dot, 0))) instanceof MigrationName;
    }

    private void warnOfLeftOut() {
        for (MigrationFile file : leftOut) {
            String simpleName = FileName.of(file).replace(".class", "");
            if (migrations.stream().noneMatch(found -> found.script().endsWith("." + simpleName))) {
                warnings.add(file.origin()
                        + " is named as a migration, but is not run: give code to a MigrationSource, and write the rest"
                        + " as SQL or code");
            }
        }
    }

    /** Rejects files that were certainly meant as migrations, which Flyway skips; warns of others. */
    private void judgeStrays() {
        List<String> errors = new ArrayList<>();
        strays.forEach((origin, stray) -> {
            String what = origin + ": " + stray.why();
            (stray.meantAsMigration() || rules.strict() ? errors : warnings).add(what);
        });
        if (!errors.isEmpty()) {
            throw new InvalidMigrationException(
                    "Files without the name of a migration: " + String.join("; ", errors) + ". Name them like "
                            + rules.example() + "; to keep one out, move it out of the location, or end its name in"
                            + " something other than " + String.join(" or ", rules.suffixes()),
                    List.copyOf(strays.keySet()),
                    null);
        }
    }

    private FoundMigrations found() {
        migrations.sort(Planner.ORDER);
        callbacks.sort(Comparator.comparing(CallbackScript::event).thenComparing(CallbackScript::description));
        return new FoundMigrations(
                unique(migrations, MigrationFinder::identity, FoundMigration::content),
                unique(callbacks, MigrationFinder::identity, CallbackScript::script),
                warnings);
    }

    /** Keeps one copy of each script. Rejects different scripts with the same identity. */
    private static <T> List<T> unique(
            List<T> found, Function<T, Object> identity, Function<T, MigrationContent> content) {
        Map<Object, List<T>> groups =
                found.stream().collect(Collectors.groupingBy(identity, LinkedHashMap::new, Collectors.toList()));
        groups.forEach((what, group) -> {
            MigrationContent first = content.apply(group.get(0));
            List<String> others = group.stream()
                    .skip(1)
                    .map(content)
                    .filter(other -> !first.isSameScriptAs(other))
                    .map(Object::toString)
                    .toList();
            if (!others.isEmpty()) {
                throw twins(
                        what,
                        Stream.concat(Stream.of(first.toString()), others.stream())
                                .toList());
            }
        });
        return groups.values().stream().map(group -> group.get(0)).toList();
    }

    /** A version, its baseline and its undo script may exist side by side. */
    private record Identity(MigrationKind kind, MigrationVersion version) {
        @Override
        public String toString() {
            return "version " + version + " (" + kind.scriptType() + ")";
        }
    }

    private static Object identity(FoundMigration migration) {
        MigrationVersion version = migration.version();
        return version == null
                ? "the repeatable migration '" + migration.description() + "'"
                : new Identity(migration.kind(), version);
    }

    private static Object identity(CallbackScript callback) {
        return "the callback " + callback.event().id() + " with description '" + callback.description() + "'";
    }

    private static InvalidMigrationException twins(Object identity, List<String> files) {
        return new InvalidMigrationException(
                "There is more than one file for " + identity + ": " + String.join(" and ", files)
                        + ". Keep one of them, or give the other a version or a description of its own",
                files,
                null);
    }
}
