package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.InTransaction;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlSyntaxException;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.dialect.Syntax;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits a script into statements while it is read, and holds one of them at a time. Not thread-safe; reading may block.
 *
 * <p>A statement includes the comments before it, but not its delimiter. A statement of comments alone is dropped.
 *
 * <p>The result is that of Flyway's parser ({@code FlywayParserTest} compares them), except for these texts, which Flyway
 * 13 corrupts, loses or refuses:
 *
 * <table>
 * <caption>Differences to Flyway</caption>
 * <tr><th>text</th><th>Flyway</th><th>here</th></tr>
 * <tr><td>an unterminated quote, comment, parenthesis or block</td><td>sends or drops the rest</td><td>an error with its
 *     line</td></tr>
 * <tr><td>an unmatched closing parenthesis</td><td>no later statement ends</td><td>an error of the database</td></tr>
 * <tr><td>{@code E'a'} that a string on the next line continues</td><td>splits it</td><td>one string</td></tr>
 * <tr><td>PostgreSQL: {@code $1} outside of quotes</td><td>begins a string</td><td>a mark, sent in a block</td></tr>
 * <tr><td>PostgreSQL: {@code as end} in a {@code begin atomic} body</td><td>ends it</td><td>a name</td></tr>
 * <tr><td>PostgreSQL: {@code reindex … concurrently}, {@code detach partition concurrently} and a few more</td><td>in a
 *     transaction</td><td>outside</td></tr>
 * <tr><td>PostgreSQL: {@code set}, {@code reset}, {@code show}</td><td>in a transaction</td><td>either</td></tr>
 * <tr><td>PostgreSQL: {@code \name} of psql</td><td>sends it</td><td>an error</td></tr>
 * <tr><td>PostgreSQL: unterminated data of COPY</td><td>hangs</td><td>an error</td></tr>
 * <tr><td>MariaDB: {@code begin not atomic}; {@code if}, {@code for} and the like without a program; a trigger of one
 *     {@code if}; {@code alter event}; a definer before an event or by {@code current_user()};
 *     a body after {@code as}</td><td>splits them</td>
 *     <td>one statement</td></tr>
 * <tr><td>MariaDB: {@code end for}</td><td>ends the whole block</td><td>ends the loop</td></tr>
 * <tr><td>MariaDB: a column {@code delimiter}; a comment after {@code DELIMITER $$}</td><td>an error</td><td>a name; a
 *     comment</td></tr>
 * <tr><td>MariaDB: {@code DELIMITER} names none</td><td>takes the next line</td><td>takes a single
 *     word in the next line</td></tr>
 * <tr><td>MariaDB: a parenthesis open at a delimiter that {@code DELIMITER} set</td><td>continues</td><td>ends, as for the
 *     {@code mysql} client</td></tr>
 * <tr><td>MariaDB: {@code /* a /* b *}{@code /}; {@code 1--1}; {@code /*M! … *}{@code /}</td><td>nested; a comment; a
 *     comment</td><td>a comment; two minus signs; runs</td></tr>
 * <tr><td>MariaDB: a comment that a carriage return alone ends</td><td>the server drops the statement after it</td>
 *     <td>a line feed ends it</td></tr>
 * <tr><td>H2: {@code //}; a carriage return alone</td><td>code; no end of a line</td><td>a comment; an end</td></tr>
 * </table>
 */
public final class ScriptReader implements Closeable {

    private static final Pattern COPY = Pattern.compile("COPY .*FROM STDIN\\b.*", Pattern.CASE_INSENSITIVE);
    private static final int HEAD = 12;

    /** Stands for a quoted name among the first words. */
    private static final String QUOTED = "\"\"";

    /** Longer than any delimiter in use, and short enough to compare at each character. */
    private static final int LONGEST_DELIMITER = 32;

    private final Dialect dialect;
    private final int majorVersion;
    private final String file;
    private final Reader reader;
    private final Lines lines;
    private final SqlLexer lexer;
    private final BlockDepth nesting;
    private final boolean delimiterCommands;
    private final boolean metaCommands;
    private final boolean copyData;

    private final StringBuilder head = new StringBuilder();
    private int headWords;
    private boolean optionsMatter;
    private boolean ownDelimiter;
    private boolean marked;
    private int line;
    private int column;
    private boolean begun;
    private long end;
    private int openLine;
    private @Nullable CopyData data;

    ScriptReader(Dialect dialect, int majorVersion, String file, Reader reader, Lines lines) {
        this.dialect = dialect;
        this.majorVersion = majorVersion;
        this.file = file;
        this.reader = reader;
        this.lines = lines;
        this.lexer = dialect.lexer(reader);
        this.nesting = new BlockDepth(dialect);
        this.delimiterCommands = dialect.has(Syntax.DELIMITER_COMMANDS);
        this.metaCommands = dialect.has(Syntax.META_COMMANDS);
        this.copyData = dialect.has(Syntax.COPY_DATA);
    }

    /**
     * Reads the next statement, after skipping the data of the previous one.
     *
     * @return null at the end of the script
     */
    public @Nullable ScriptStatement next() {
        skipData();
        begin();
        try {
            while (lexer.next() != SqlToken.END) {
                if (!ends(lexer.token())) {
                    take(lexer.token());
                } else if (line > 0) {
                    return statement(true);
                } else {
                    begin();
                }
            }
        } catch (SqlSyntaxException e) {
            throw unended(e.what(), lines.sourceLine(lexer.offset(), e.line()));
        }
        return last();
    }

    private @Nullable ScriptStatement last() {
        if (nesting.isOpen() && !ownDelimiter) {
            throw unended(nesting.what(), openLine);
        }
        return line > 0 ? statement(false) : null;
    }

    /**
     * Returns the data of the previous statement, if it {@linkplain ScriptStatement#copiesData() copies any}. {@link
     * #next()} skips the unread rest.
     *
     * @return a reader up to the line that ends the data
     */
    public Reader data() {
        CopyData current = data;
        return current == null ? Reader.nullReader() : current;
    }

    private void skipData() {
        if (data != null) {
            data.skipAll();
            data = null;
        }
    }

    private void begin() {
        head.setLength(0);
        headWords = 0;
        optionsMatter = false;
        marked = false;
        line = 0;
        begun = false;
        openLine = 0;
        lexer.bareDashes(true);
        nesting.reset();
    }

    private boolean ends(SqlToken token) {
        return ownDelimiter ? token == SqlToken.DELIMITER : token == SqlToken.SEMICOLON && !nesting.isOpen();
    }

    private void take(SqlToken token) {
        switch (token) {
            case SPACE -> {}
            case COMMENT -> keep();
            default -> code(token);
        }
    }

    private void keep() {
        if (!begun) {
            lexer.mark();
            begun = true;
        }
        end = lexer.end();
    }

    private void code(SqlToken token) {
        if (line == 0) {
            if (delimiterCommands && lexer.is("DELIMITER")) {
                delimiter();
                return;
            }
            line = sourceLine();
            column = lexer.column();
            lexer.bareDashes(false);
        }
        nest(token);
        switch (token) {
            case WORD, IDENTIFIER, UNICODE_IDENTIFIER -> head(token);
            case MARKER -> marked = true;
            case SYMBOL -> refuseMetaCommand();
            default -> {}
        }
        keep();
    }

    private void nest(SqlToken token) {
        boolean open = nesting.isOpen();
        nesting.next(token, lexer);
        if (!open && nesting.isOpen()) {
            openLine = sourceLine();
        }
    }

    /* Options in parentheses count directly after the first word; for REINDEX and subscriptions, anywhere. */
    private void head(SqlToken token) {
        if (headWords == HEAD || (headWords > 1 && !optionsMatter && nesting.isOpen())) {
            return;
        }
        if (headWords <= 1) {
            optionsMatter |= lexer.is("REINDEX") || lexer.is("SUBSCRIPTION");
        }
        if (headWords++ > 0) {
            head.append(' ');
        }
        if (token == SqlToken.WORD) {
            lexer.appendTo(head);
        } else {
            head.append(QUOTED);
        }
    }

    private int sourceLine() {
        return lines.sourceLine(lexer.offset(), lexer.line());
    }

    private void delimiter() {
        int at = sourceLine();
        lexer.nextLine();
        String rest = lexer.text().strip();
        String delimiter = rest.isEmpty() ? aloneInItsLine() : rest.split("\\s", 2)[0];
        if (delimiter.isEmpty() || delimiter.length() > LONGEST_DELIMITER) {
            throw new ScriptException(
                    file,
                    at,
                    "DELIMITER names none of 1 to " + LONGEST_DELIMITER
                            + " characters: write DELIMITER // or the like, in one line");
        }
        ownDelimiter = !delimiter.equals(";");
        lexer.delimiter(ownDelimiter ? delimiter : "");
        begin();
    }

    /* A line of several words is a statement and must not be skipped. */
    private String aloneInItsLine() {
        String text = "";
        while (text.isEmpty() && lexer.nextLine() != SqlToken.END) {
            text = lexer.text().strip();
        }
        return text.split("\\s", 2).length == 1 ? text : "";
    }

    private ScriptStatement statement(boolean delimited) {
        String text = lexer.takeMarked(end);
        String words = head.toString();
        boolean copies = copyData && copies(words);
        InTransaction transactional = dialect.transactional(words, majorVersion);
        if (marked && transactional == InTransaction.NO) {
            throw new ScriptException(
                    file, line, "a statement that cannot run in a transaction holds a mark like $1: write the value");
        }
        if (copies) {
            data = copyData(delimited);
        }
        return new ScriptStatement(line, column, words, text, transactional, copies);
    }

    private static boolean copies(String words) {
        return words.regionMatches(true, 0, "COPY", 0, 4) && COPY.matcher(words).matches();
    }

    private CopyData copyData(boolean delimited) {
        lexer.nextLine();
        if (!delimited || !lexer.text().isBlank()) {
            throw new ScriptException(
                    file, line, "COPY FROM STDIN has to end with a ';' that is the last in its line. Its data follow");
        }
        return new CopyData(lexer, file, line);
    }

    private void refuseMetaCommand() {
        if (metaCommands && lexer.text().equals("\\")) {
            int at = sourceLine();
            lexer.next();
            throw new ScriptException(
                    file,
                    at,
                    "\\" + lexer.text() + " is a command to psql, which no database understands: leave it out");
        }
    }

    private ScriptException unended(String what, int at) {
        return new ScriptException(file, at, what + " that begins here never ends: close it");
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Maps a position in the text to a line of the file. */
    @FunctionalInterface
    interface Lines {
        int sourceLine(long offset, int line);
    }
}
