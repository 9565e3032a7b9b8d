package dev.r2dbcengine.migrate;

import java.io.IOException;

/** What must be known of the text of a script before it runs. */
interface ScriptText {

    /** The checksum of what the file holds. */
    int checksum(MigrationScript script) throws IOException;

    /** The checksum of it after placeholders were replaced. */
    int checksumAfterPlaceholders(MigrationScript script) throws IOException;

    /** A value of the script's settings, after placeholders were replaced. */
    String replacePlaceholders(MigrationScript script, String value);
}
