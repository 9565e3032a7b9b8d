package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import java.io.Reader;

/** Reads the data after {@code COPY … FROM STDIN;} line by line, up to a line {@code \.}. */
final class CopyData extends Reader {

    private final SqlLexer lexer;
    private final String file;
    private final int statementLine;
    private String current = "";
    private int position;
    private boolean ended;

    CopyData(SqlLexer lexer, String file, int statementLine) {
        this.lexer = lexer;
        this.file = file;
        this.statementLine = statementLine;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
        if (position == current.length() && !nextLine()) {
            return -1;
        }
        int count = Math.min(length, current.length() - position);
        current.getChars(position, position + count, buffer, offset);
        position += count;
        return count;
    }

    void skipAll() {
        while (nextLine()) {}
    }

    private boolean nextLine() {
        if (ended) {
            return false;
        }
        if (lexer.nextLine() == SqlToken.END) {
            throw new ScriptException(
                    file, statementLine, "the data of COPY never end: close them with a line that is \\. alone");
        }
        current = lexer.text();
        position = 0;
        ended = current.equals("\\.")
                || current.equals("\\.\n")
                || current.equals("\\.\r\n")
                || current.equals("\\.\r");
        if (ended) {
            current = ""; // the mark is not part of the data
        }
        return !ended;
    }

    /** Does nothing, since the script stays open. */
    @Override
    public void close() {}
}
