package dev.r2dbcengine.migrate;

/**
 * What one look at all of a script tells.
 *
 * @param file the script
 * @param insideLine where the first statement stands that runs in a transaction; 0 without one
 * @param outsideLine where the first statement stands that cannot; 0 without one
 */
record ScriptScan(String file, int insideLine, int outsideLine) {

    /**
     * Whether the script runs in a transaction, when nobody has said that it shall not.
     *
     * @param mixed whether it may hold statements of both kinds, and runs outside of a transaction then
     * @throws ScriptException when it holds statements of both kinds, and may not
     */
    boolean inTransaction(boolean mixed) {
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
