package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.internal.model.FileName.CallbackName;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import dev.r2dbcengine.migrate.internal.model.FileName.Other;
import dev.r2dbcengine.migrate.internal.model.FileName.Stray;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for file names, by Flyway's settings: {@code V1.2__what_it_does.sql}. The prefix is case-sensitive, the
 * suffix is not; the first separator divides version and description.
 *
 * @param prefixes the prefix of each kind
 * @param separator the separator of version and description
 * @param suffixes the suffixes of SQL scripts
 * @param strict whether every SQL file must have a valid name
 */
public record NamingRules(
        Map<MigrationKind, String> prefixes, String separator, List<String> suffixes, boolean strict) {

    public static final NamingRules FLYWAY = new NamingRules(
            Arrays.stream(MigrationKind.values()).collect(Collectors.toMap(Function.identity(), kind -> kind.prefix)),
            "__",
            List.of(".sql"),
            false);

    /** The rules for class names, which have no suffix. */
    static final NamingRules CLASSES = FLYWAY.suffixes("");

    private static final List<Prefix> EVENTS = Arrays.stream(CallbackEvent.values())
            .map(event -> new Prefix(event.id(), null, event))
            .toList();

    private static final Comparator<Prefix> LONGEST_FIRST =
            Comparator.comparingInt((Prefix prefix) -> prefix.text.length()).reversed();

    /** Callbacks of Flyway for operations that this library does not have. */
    private static final List<Prefix> FLYWAYS = Stream.of(
                    "beforeConnect",
                    "beforeInfo",
                    "afterInfo",
                    "afterInfoError",
                    "afterReportGenerated",
                    "afterMigrateOperationFinish",
                    "afterInfoOperationFinish",
                    "afterCleanOperationFinish",
                    "afterValidateOperationFinish",
                    "afterUndoOperationFinish",
                    "afterRepairOperationFinish",
                    "afterBaselineOperationFinish")
            .map(event -> new Prefix(event, null, null))
            .toList();

    private record Prefix(
            String text,
            @Nullable MigrationKind kind,
            @Nullable CallbackEvent event) {}

    public NamingRules {
        prefixes = Map.copyOf(prefixes);
        suffixes = List.copyOf(suffixes);
    }

    public NamingRules prefix(MigrationKind kind, String prefix) {
        Map<MigrationKind, String> changed = new EnumMap<>(prefixes);
        changed.put(kind, prefix);
        return new NamingRules(changed, separator, suffixes, strict);
    }

    public NamingRules separator(String text) {
        return new NamingRules(prefixes, text, suffixes, strict);
    }

    public NamingRules suffixes(String... texts) {
        return new NamingRules(prefixes, separator, List.of(texts), strict);
    }

    public NamingRules strict(boolean on) {
        return new NamingRules(prefixes, separator, suffixes, on);
    }

    /** Returns an example for messages. */
    public String example() {
        return prefixes.get(MigrationKind.VERSIONED) + "1.2" + separator + "description" + suffixes.get(0);
    }

    public FileName read(String file) {
        return suffixes.stream()
                .filter(suffix -> file.regionMatches(true, file.length() - suffix.length(), suffix, 0, suffix.length()))
                .findFirst()
                .map(suffix -> readName(file.substring(0, file.length() - suffix.length())))
                .orElseGet(() -> withoutSuffix(file));
    }

    /** Reads a file without extension, which Flyway runs as a shell script. */
    private FileName withoutSuffix(String file) {
        return readName(file) instanceof MigrationName name
                        && !name.description().contains(".")
                ? new Stray("it does not end in " + String.join(" or ", suffixes), false)
                : new Other();
    }

    /** Reads a name by the longest matching prefix. If kinds share it, the first kind whose rule matches wins. */
    private FileName readName(String name) {
        List<Prefix> fitting = Stream.of(
                        Arrays.stream(MigrationKind.values()).map(this::prefix), EVENTS.stream(), FLYWAYS.stream())
                .flatMap(Function.identity())
                .filter(prefix -> name.startsWith(prefix.text))
                .sorted(LONGEST_FIRST)
                .toList();
        if (fitting.isEmpty()) {
            return new Stray("it has no prefix of a migration; prefixes are case-sensitive", false);
        }
        String prefix = fitting.get(0).text;
        String rest = name.substring(prefix.length());
        return fitting.stream()
                .filter(one -> one.text.equals(prefix))
                .flatMap(one -> named(one, rest).stream())
                .findFirst()
                .orElseGet(() -> stray(fitting.get(0), rest));
    }

    private Prefix prefix(MigrationKind kind) {
        return new Prefix(Objects.requireNonNull(prefixes.get(kind)), kind, null);
    }

    private Optional<FileName> named(Prefix prefix, String rest) {
        String version = version(rest);
        String description = rest.equals(version)
                ? ""
                : rest.substring(version.length() + separator.length()).replace('_', ' ');
        return named(prefix, version, description, !rest.equals(version));
    }

    private String version(String rest) {
        int at = rest.indexOf(separator);
        return at < 0 ? rest : rest.substring(0, at);
    }

    private static Optional<FileName> named(Prefix prefix, String version, String description, boolean separated) {
        MigrationKind kind = prefix.kind;
        if (kind != null && kind != MigrationKind.REPEATABLE) {
            return FileName.version(version).map(parsed -> new MigrationName(kind, parsed, description));
        }
        CallbackEvent event = prefix.event;
        if (kind == null && event == null && version.isEmpty()) {
            return Optional.of(new Stray("it is a callback of Flyway's that is not run here: " + prefix.text, false));
        }
        if (!version.isEmpty() || (event == null && !separated)) {
            return Optional.empty();
        }
        return Optional.of(
                event == null
                        ? new MigrationName(MigrationKind.REPEATABLE, null, description)
                        : new CallbackName(event, description));
    }

    private Stray stray(Prefix prefix, String rest) {
        boolean versioned = prefix.kind != null && prefix.kind != MigrationKind.REPEATABLE;
        String why = "after '" + prefix.text + "' stands '" + version(rest) + "', "
                + (versioned ? "which is no version" : "where '" + separator + "' belongs");
        return new Stray(why, versioned && looksIntended(rest));
    }

    /**
     * Returns whether a name was meant as a migration: {@code V2_x} and {@code V__x} were, {@code Views} and {@code
     * README} only begin like one.
     */
    private boolean looksIntended(String rest) {
        return !rest.isEmpty() && (Character.isDigit(rest.charAt(0)) || rest.charAt(0) == separator.charAt(0));
    }
}
