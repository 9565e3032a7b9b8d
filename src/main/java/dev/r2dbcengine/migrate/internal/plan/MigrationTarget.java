package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far a run goes, by Flyway's {@code target}.
 *
 * @param kind what the version depends on
 * @param version of a fixed target
 * @param required whether there must be a migration of that version
 */
public record MigrationTarget(Kind kind, @Nullable MigrationVersion version, boolean required) {

    public enum Kind {
        /** All. */
        LATEST,
        /** The newest applied version: nothing but repeatables. */
        CURRENT,
        /** The next pending version. */
        NEXT,
        /** A fixed version. */
        FIXED
    }

    static final MigrationTarget LATEST = new MigrationTarget(Kind.LATEST, null, false);

    /** A word, or a version such as 1.2; 1.2? need not be there. */
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

    /** Whether that version is beyond the target. */
    boolean isExceededBy(MigrationVersion version, History history, @Nullable MigrationVersion next) {
        return switch (kind) {
            case LATEST -> false;
            case CURRENT -> version.newerThan(history.lastApplied());
            case NEXT -> next != null && version.newerThan(next);
            case FIXED -> version.newerThan(this.version);
        };
    }
}
