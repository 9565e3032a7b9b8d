package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A SQL file of a migration or callback, with its settings. */
public final class MigrationScript implements MigrationContent {

    private final MigrationFile file;
    private final ScriptSettings settings;
    private final boolean repeatable;
    private final Lazy<Integer> raw;
    private final Lazy<Integer> checksum;
    private final Lazy<Boolean> executes;

    /**
     * Creates a script. The checksum of a versioned script is that of its text. The checksum of a repeatable one is
     * computed after placeholders were replaced, so that it runs again when they change; that of the text is accepted
     * too, as by Flyway.
     */
    public MigrationScript(
            MigrationFile file, ScriptSettings settings, PlaceholderSettings placeholders, boolean repeatable) {
        this(file, settings, placeholders, repeatable, null);
    }

    private MigrationScript(
            MigrationFile file,
            ScriptSettings settings,
            PlaceholderSettings placeholders,
            boolean repeatable,
            @Nullable Lazy<Integer> known) {
        this.file = file;
        this.settings = settings;
        this.repeatable = repeatable;
        this.raw = known == null ? new Lazy<>(() -> read(() -> placeholders.checksum(this))) : known;
        this.checksum = repeatable && !Objects.equals(settings.placeholderReplacement(), false)
                ? new Lazy<>(() -> read(() -> placeholders.checksumAfterPlaceholders(this)))
                : raw;
        this.executes = new Lazy<>(
                () -> settings.executes(file, expression -> placeholders.replacePlaceholders(this, expression)));
    }

    private interface Reading {
        int read() throws IOException;
    }

    private int read(Reading reading) {
        try {
            return reading.read();
        } catch (ScriptException e) {
            throw new InvalidMigrationException(String.valueOf(e.getMessage()), List.of(file.origin()), e);
        } catch (IOException e) {
            throw new InvalidMigrationException(
                    "Cannot read " + file.origin() + " as " + encoding()
                            + ". Check that the file is there and that its encoding is the one that is set",
                    List.of(file.origin()),
                    e);
        }
    }

    public MigrationFile file() {
        return file;
    }

    public ScriptSettings settings() {
        return settings;
    }

    public Charset encoding() {
        Charset own = settings.encoding();
        return own == null ? file.encoding() : own;
    }

    InputStream open() throws IOException {
        return file.opener().open();
    }

    @Override
    public Integer checksum() {
        return checksum.get();
    }

    @Override
    public boolean matches(@Nullable Integer applied) {
        return checksum.get().equals(applied) || raw.get().equals(applied);
    }

    @Override
    public boolean executes() {
        return executes.get();
    }

    @Override
    public MigrationScript with(PlaceholderSettings placeholders) {
        return new MigrationScript(file, settings, placeholders, repeatable, raw);
    }

    @Override
    public boolean isSameScriptAs(MigrationContent other) {
        return other instanceof MigrationScript script
                && (file.script().equals(script.file.script()) || isAtTheSamePlace(file, script.file))
                && checksum().equals(script.checksum());
    }

    /* Returns whether both are the same file on disk, or the same entry of a jar. */
    private static boolean isAtTheSamePlace(MigrationFile one, MigrationFile other) {
        try {
            return one.origin().equals(other.origin())
                    || Files.isSameFile(Path.of(one.origin()), Path.of(other.origin()));
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    @Override
    public void readAhead() {
        if (checksum == raw) {
            try {
                raw.get();
            } catch (InvalidMigrationException e) {
                // The next call reads again and reports the failure.
            }
        }
    }

    @Override
    public String toString() {
        return file.origin();
    }
}
