package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The last version of a run, as Flyway's {@code target}.
 *
 * @param kind how the version is determined
 * @param version the version of a fixed target
 * @param required whether a migration of that version must exist
 */
public record MigrationTarget(Kind kind, @Nullable MigrationVersion version, boolean required) {

    public enum Kind {
        /** All versions. */
        LATEST,
        /** The newest applied version, so that only repeatable migrations run. */
        CURRENT,
        /** The next pending version. */
        NEXT,
        /** A fixed version. */
        FIXED
    }

    static final MigrationTarget LATEST = new MigrationTarget(Kind.LATEST, null, false);

    /** Reads a word or a version such as 1.2; a migration of version 1.2? need not exist. */
    public static MigrationTarget of(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "latest" -> LATEST;
            case "current" -> new MigrationTarget(Kind.CURRENT, null, false);
            case "next" -> new MigrationTarget(Kind.NEXT, null, false);
            default -> fixed(text);
        };
    }

    private static MigrationTarget fixed(String text) {
        boolean optional = text.endsWith("?");
        String version = optional ? text.substring(0, text.length() - 1) : text;
        return new MigrationTarget(Kind.FIXED, MigrationVersion.of(version), !optional);
    }

    /** Returns whether a version is above the target. */
    boolean isExceededBy(MigrationVersion version, History history, @Nullable MigrationVersion next) {
        return switch (kind) {
            case LATEST -> false;
            case CURRENT -> version.newerThan(history.lastApplied());
            case NEXT -> next != null && version.newerThan(next);
            case FIXED -> version.newerThan(this.version);
        };
    }
}
