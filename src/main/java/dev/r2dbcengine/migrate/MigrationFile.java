package dev.r2dbcengine.migrate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A file of a {@link MigrationSource}: a migration, a callback, or the settings of one. Its content is read on demand,
 * in chunks.
 *
 * @param script its path below the location, with {@code /}, as the history table stores it
 * @param origin its full path, for messages; the settings of a script have its origin followed by {@code .conf}
 * @param encoding the encoding of its text, unless the settings of the script name another
 * @param opener opens the file; may be called repeatedly
 */
public record MigrationFile(String script, String origin, Charset encoding, Opener opener) {

    /** Opens a file. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the file at its beginning. May block; it is called on a thread where that is allowed.
         *
         * @return the stream, which the caller closes
         * @throws IOException if it cannot be opened
         */
        InputStream open() throws IOException;
    }

    /**
     * Returns a file in UTF-8 that is not in a file system.
     *
     * @param script its path, with {@code /}, such as {@code V1__init.sql}
     * @param opener opens the file
     * @return the file
     */
    public static MigrationFile of(String script, Opener opener) {
        return new MigrationFile(script, script, StandardCharsets.UTF_8, opener);
    }

    MigrationFile named(String other) {
        return new MigrationFile(other, origin, encoding, opener);
    }
}
