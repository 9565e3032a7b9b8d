package dev.r2dbcengine.migrate.internal.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a whole script once.
 *
 * @param file the script
 * @param insideLine the line of the first statement that runs in a transaction; 0 if there is none
 * @param outsideLine the line of the first statement that cannot; 0 if there is none
 * @param statements the statements of a small script without COPY data; null for others, which are read again to run
 */
public record ScriptScan(
        String file,
        int insideLine,
        int outsideLine,
        @Nullable List<ScriptStatement> statements) {

    /**
     * Returns whether the script runs in a transaction, unless its settings say otherwise.
     *
     * @param mixed whether it may contain statements of both kinds; then it runs outside a transaction
     * @throws ScriptException if it contains statements of both kinds and must not
     */
    public boolean inTransaction(boolean mixed) {
        if (outsideLine > 0 && insideLine > 0 && !mixed) {
            throw new ScriptException(
                    file,
                    outsideLine,
                    "this statement cannot run in a transaction, and the one in line " + insideLine
                            + " should. Put it in a script of its own, or allow both in one without a transaction:"
                            + " mixed(true)");
        }
        return outsideLine == 0;
    }
}
