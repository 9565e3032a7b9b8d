package dev.r2dbcengine.migrate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A file of a {@link MigrationSource}: a migration, a callback, or the settings of one. Its content is read when it is
 * needed, piece by piece, and never kept.
 *
 * @param script its path below the location, with {@code /}: what the history table keeps
 * @param origin where it lies, for messages; the settings of a script have its origin and {@code .conf}
 * @param encoding of its text, unless the settings of the script say another
 * @param opener opens it, as often as it is asked
 */
public record MigrationFile(String script, String origin, Charset encoding, Opener opener) {

    /** Opens a file. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the file at its beginning. It may block; it is called on a thread that may.
         *
         * @return its bytes; the caller closes it
         * @throws IOException if it cannot be opened
         */
        InputStream open() throws IOException;
    }

    /**
     * A file in UTF-8 that comes from elsewhere than a file system.
     *
     * @param script its path, with {@code /}, such as {@code V1__init.sql}
     * @param opener opens it
     * @return the file
     */
    public static MigrationFile of(String script, Opener opener) {
        return new MigrationFile(script, script, StandardCharsets.UTF_8, opener);
    }

    MigrationFile named(String other) {
        return new MigrationFile(other, origin, encoding, opener);
    }
}
