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
 * What stands for what in scripts, and which of them it is put into.
 *
 * @param prefix of a placeholder
 * @param suffix of a placeholder
 * @param values of all scripts; each has {@code flyway:filename} besides
 * @param replaces whether placeholders are replaced where the settings of a script do not say so
 */
public record PlaceholderSettings(String prefix, String suffix, Map<String, String> values, boolean replaces) {

    public static final PlaceholderSettings FLYWAY = new PlaceholderSettings("${", "}", Map.of(), true);

    /** Most scripts are small, and are summed at every start. */
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

    /** What is set goes before what is given. */
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

    /** The checksum of what the file holds. */
    int checksum(MigrationScript script) throws IOException {
        return sum(decoded(script));
    }

    /** The checksum of it after placeholders were replaced. */
    int checksumAfterPlaceholders(MigrationScript script) throws IOException {
        return sum(new PlaceholderReader(script.toString(), decoded(script), placeholders(script)));
    }

    /** A value of the script's settings, after placeholders were replaced: they are whether those of its text are or not. */
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
                // Reading is what adds it up.
            }
            return sum.value();
        }
    }
}
