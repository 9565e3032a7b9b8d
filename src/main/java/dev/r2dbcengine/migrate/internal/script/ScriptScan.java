package dev.r2dbcengine.migrate.internal.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look at all of a script tells.
 *
 * @param file the script
 * @param insideLine where the first statement stands that runs in a transaction; 0 without one
 * @param outsideLine where the first statement stands that cannot; 0 without one
 * @param statements of a script that is small and holds nothing else; null for others, which are read again to run
 */
public record ScriptScan(
        String file,
        int insideLine,
        int outsideLine,
        @Nullable List<ScriptStatement> statements) {

    /**
     * Whether the script runs in a transaction, when nobody has said that it shall not.
     *
     * @param mixed whether it may hold statements of both kinds, and runs outside of a transaction then
     * @throws ScriptException when it holds statements of both kinds, and may not
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
