package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;

/** A script that cannot be read, and where. It tells what to do, and shows no text of the script but names. */
final class ScriptException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int line;

    ScriptException(String file, int line, String what) {
        super(Printable.line(file + ", line " + line + ": " + what));
        this.line = line;
    }

    ScriptException(String file, String what, Throwable cause) {
        super(Printable.line(file + ": " + what), cause);
        this.line = 0;
    }

    /* From 1; 0 when no line is known. */
    int line() {
        return line;
    }
}
