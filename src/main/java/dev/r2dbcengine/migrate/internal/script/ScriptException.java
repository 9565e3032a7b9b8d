package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.internal.text.Printable;

/** A script that cannot be read, and where. It tells what to do, and shows no text of the script but names. */
public final class ScriptException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int line;

    public ScriptException(String file, int line, String what) {
        super(Printable.line(file + ", line " + line + ": " + what));
        this.line = line;
    }

    public ScriptException(String file, String what, Throwable cause) {
        super(Printable.line(file + ": " + what), cause);
        this.line = 0;
    }

    /* From 1; 0 when no line is known. */
    public int line() {
        return line;
    }
}
