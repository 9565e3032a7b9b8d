package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.internal.script.Checksum;
import dev.r2dbcengine.migrate.internal.script.PlaceholderReader;
import dev.r2dbcengine.migrate.internal.script.Placeholders;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptDecoder;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The placeholders of all scripts, and whether they are replaced.
 *
 * @param prefix the prefix of a placeholder
 * @param suffix the suffix of a placeholder
 * @param values the values for all scripts; each script also has {@code flyway:filename}
 * @param replaces whether placeholders are replaced, unless the settings of a script say otherwise
 */
public record PlaceholderSettings(String prefix, String suffix, Map<String, String> values, boolean replaces) {

    public static final PlaceholderSettings FLYWAY = new PlaceholderSettings("${", "}", Map.of(), true);

    /** Small, since most scripts are small and their checksums are computed at every start. */
    private static final int PIECE = 1024;

    public PlaceholderSettings {
        values = Map.copyOf(values);
    }

    public PlaceholderSettings prefix(String text) {
        return new PlaceholderSettings(text, suffix, values, replaces);
    }

    public PlaceholderSettings suffix(String text) {
        return new PlaceholderSettings(prefix, text, values, replaces);
    }

    public PlaceholderSettings values(Map<String, String> set) {
        return new PlaceholderSettings(prefix, suffix, set, replaces);
    }

    public PlaceholderSettings replaces(boolean on) {
        return new PlaceholderSettings(prefix, suffix, values, on);
    }

    /** Returns a copy with further values. Configured values take precedence. */
    public PlaceholderSettings with(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(given);
        all.putAll(values);
        return values(all);
    }

    public Script script(MigrationScript script) {
        return new Script(script.toString(), script::open, script.encoding(), placeholders(script));
    }

    private Placeholders placeholders(MigrationScript script) {
        Boolean own = script.settings().placeholderReplacement();
        return Objects.requireNonNullElse(own, replaces) ? all(script) : Placeholders.OFF;
    }

    private Placeholders all(MigrationScript script) {
        Map<String, String> all = new HashMap<>(values);
        all.put("flyway:filename", FileName.of(script.file()));
        return new Placeholders(prefix, suffix, all);
    }

    /** Returns the checksum of the text of the file. */
    int checksum(MigrationScript script) throws IOException {
        return sum(decoded(script));
    }

    /** Returns the checksum after placeholders were replaced. */
    int checksumAfterPlaceholders(MigrationScript script) throws IOException {
        return sum(new PlaceholderReader(script.toString(), decoded(script), placeholders(script)));
    }

    /** Replaces placeholders in a setting of the script, also if those of its text are not replaced. */
    String replacePlaceholders(MigrationScript script, String value) {
        StringWriter replaced = new StringWriter();
        try (Reader text = new PlaceholderReader(script + ".conf", new StringReader(value), all(script))) {
            text.transferTo(replaced);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return replaced.toString();
    }

    private static Reader decoded(MigrationScript script) throws IOException {
        return new ScriptDecoder(script.toString(), script.open(), script.encoding());
    }

    private static int sum(Reader text) throws IOException {
        try (Checksum sum = new Checksum(text)) {
            char[] piece = new char[PIECE];
            while (sum.read(piece, 0, PIECE) >= 0) {
                // Reading computes the checksum.
            }
            return sum.value();
        }
    }
}
