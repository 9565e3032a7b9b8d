package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.internal.text.Printable;

/** A script that cannot be read. The message says where and what to do, and contains only names from the script. */
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

    /* Returns the line, from 1; 0 if it is not known. */
    public int line() {
        return line;
    }
}
