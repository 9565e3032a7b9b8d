package dev.r2dbcengine.dialect;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts SQL text into tokens, by the rules of a {@link Dialect}: the one lexer for parameters and for scripts. The
 * tokens in their order are the whole text, without a gap. It reads ahead no more than a buffer, and keeps no more than
 * that and the current token. Not thread-safe.
 *
 * <p>A colon in front of a name is a parameter, except in {@code ::} and {@code :=}, in a quote or comment, directly
 * after an operand inside brackets (the slice {@code a[lo:hi]}), and where it is written {@code \:}.
 */
public final class SqlLexer {

    private static final int BUFFER = 8192;
    private static final int NONE = -1;
    private static final boolean[] WORD = wordCharacters();

    private final @Nullable Reader reader;
    private final boolean escapeStrings;
    private final boolean unicodeStrings;
    private final boolean dollarQuotes;
    private final boolean dollarTags;
    private final boolean backslashStrings;
    private final boolean doubleQuotedStrings;
    private final boolean backticks;
    private final boolean hashComments;
    private final boolean slashComments;
    private final boolean dashesNeedSpace;
    private final boolean script;
    private final boolean nestedComments;
    private final boolean executableComments;
    private final boolean questionMarkers;
    private final boolean numberedMarkers;
    private final DriverText driverText;

    private char[] buffer;
    private int limit;
    private int start;
    private int position;
    private SqlToken token = SqlToken.SPACE;
    private char before = ' ';
    private int brackets;
    private char[] delimiter = {};
    private int mark = NONE;
    private Continued continued = Continued.NO;
    private boolean bareDashes;

    /* Lines are counted lazily: on request, or when the buffer moves on. */
    private long dropped;
    private int counted;
    private int line = 1;
    private long lineBegin;
    private boolean afterReturn;

    SqlLexer(Dialect dialect, @Nullable Reader reader, char[] buffer, int limit) {
        this(dialect, dialect.driverText(), reader, buffer, limit);
    }

    private SqlLexer(Dialect dialect, DriverText driverText, @Nullable Reader reader, char[] buffer, int limit) {
        this.reader = reader;
        this.buffer = buffer;
        this.limit = limit;
        this.escapeStrings = dialect.has(Syntax.ESCAPE_STRINGS);
        this.unicodeStrings = dialect.has(Syntax.UNICODE_STRINGS);
        this.dollarQuotes = dialect.has(Syntax.DOLLAR_QUOTES);
        this.dollarTags = dialect.has(Syntax.DOLLAR_TAGS);
        this.backslashStrings = dialect.has(Syntax.BACKSLASH_STRINGS);
        this.doubleQuotedStrings = dialect.has(Syntax.DOUBLE_QUOTED_STRINGS);
        this.backticks = dialect.has(Syntax.BACKTICKS);
        this.hashComments = dialect.has(Syntax.HASH_COMMENTS);
        this.slashComments = dialect.has(Syntax.SLASH_COMMENTS);
        this.dashesNeedSpace = dialect.has(Syntax.DASHES_NEED_SPACE);
        this.script = reader != null;
        this.nestedComments = dialect.has(Syntax.NESTED_COMMENTS);
        this.executableComments = dialect.has(Syntax.EXECUTABLE_COMMENTS);
        this.questionMarkers = !dialect.has(Syntax.QUESTION_OPERATORS);
        this.numberedMarkers = dialect.numbersMarkers() && dialect.marker(1).charAt(0) == '$';
        this.driverText = driverText;
    }

    /** For a script. */
    static SqlLexer of(Dialect dialect, Reader reader) {
        return new SqlLexer(dialect, reader, new char[BUFFER], 0);
    }

    static SqlLexer of(Dialect dialect, String sql) {
        return of(dialect, dialect.driverText(), sql);
    }

    static SqlLexer of(Dialect dialect, DriverText driverText, String sql) {
        return new SqlLexer(dialect, driverText, null, sql.toCharArray(), sql.length());
    }

    /**
     * Moves to the next token.
     *
     * @return its kind, {@link SqlToken#END} at the end and ever after
     * @throws SqlSyntaxException when the text ends inside a quote or a comment
     * @throws UncheckedIOException when the reader fails
     */
    public SqlToken next() {
        if (position > start) {
            before = buffer[position - 1];
        }
        start = position;
        token = delimits() ? token(SqlToken.DELIMITER, delimiter.length) : scan();
        if (continued != Continued.NO) {
            continued = continued();
        }
        return token;
    }

    /**
     * Moves to the end of the line, without tokenizing it.
     *
     * @return {@link SqlToken#LINE}: what is left of the line, with its end; or {@link SqlToken#END}
     * @throws UncheckedIOException when the reader fails
     */
    public SqlToken nextLine() {
        start = position;
        boolean ended = seek('\n', '\r');
        if (ended && buffer[position++] == '\r' && peek(0) == '\n') {
            position++;
        }
        token = position == start ? SqlToken.END : SqlToken.LINE;
        return token;
    }

    /**
     * From now on a text of the script's own ends statements, as {@code DELIMITER} sets it. It is seen wherever a token
     * could begin, and inside of words.
     *
     * @param text what {@link SqlToken#DELIMITER} is to stand for; empty for nothing
     */
    public void delimiter(String text) {
        delimiter = text.toCharArray();
    }

    /**
     * Sets whether {@code --} begins a comment also without white space after it ({@link Syntax#DASHES_NEED_SPACE}).
     *
     * @param on true where a statement may begin: none begins with a minus sign
     */
    public void bareDashes(boolean on) {
        bareDashes = on;
    }

    /**
     * The kind of the current token.
     *
     * @return what {@link #next()} returned
     */
    public SqlToken token() {
        return token;
    }

    /**
     * The text of the current token.
     *
     * @return a new string; of a parameter the name without its colon
     */
    public String text() {
        int from = token == SqlToken.PARAMETER ? start + 1 : start;
        return new String(buffer, from, position - from);
    }

    /**
     * Whether the current token is a word.
     *
     * @param word what is asked for, in upper case
     * @return whether it is, in any case
     */
    public boolean is(String word) {
        if (token != SqlToken.WORD || word.length() != position - start) {
            return false;
        }
        int i = start;
        while (i < position && upper(buffer[i]) == word.charAt(i - start)) {
            i++;
        }
        return i == position;
    }

    private static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
    }

    /**
     * Appends the current token unchanged.
     *
     * @param out where to
     */
    public void appendTo(StringBuilder out) {
        out.append(buffer, start, position - start);
    }

    /**
     * Writes the current token in a form that means the same to the database and that the driver understands as well:
     * it may read the text once more, with rules of its own ({@link Quirk}).
     *
     * @param out where to
     */
    public void appendForDriver(StringBuilder out) {
        driverText.append(token, buffer, start, position, out);
    }

    /**
     * Keeps the text from the current token on, at the price of memory, for {@link #takeMarked}. Replaces an earlier
     * mark.
     */
    public void mark() {
        mark = start;
    }

    /**
     * Takes the text from the mark on, and the mark away.
     *
     * @param end the end of the text: what {@link #end()} was for one of the tokens since
     * @return the text as it stands
     */
    public String takeMarked(long end) {
        String text = new String(buffer, mark, Math.toIntExact(end - dropped - mark));
        mark = NONE;
        return text;
    }

    /**
     * Where the current token ends.
     *
     * @return the number of characters before that
     */
    public long end() {
        return dropped + position;
    }

    /**
     * Where the current token begins.
     *
     * @return the number of characters before it
     */
    public long offset() {
        return dropped + start;
    }

    /**
     * Where the current token begins. Lines end as {@link java.io.BufferedReader#readLine()} ends them.
     *
     * @return the line, from 1
     */
    public int line() {
        countTo(start);
        return line;
    }

    /**
     * Where the current token begins.
     *
     * @return the column in its line, from 1, in characters
     */
    public int column() {
        countTo(start);
        return Math.toIntExact(dropped + start - lineBegin + 1);
    }

    int capacity() {
        return buffer.length;
    }

    private SqlToken scan() {
        int c = peek(0);
        if (c <= ' ') {
            return c == NONE ? SqlToken.END : space();
        }
        return switch (c) {
            case '\'' -> singleQuoted();
            case '"' -> doubleQuoted();
            case '`' -> backticks ? quoted('`', 1, false, SqlToken.IDENTIFIER) : symbol(1);
            case '-' -> dashes() ? lineComment() : symbol(1);
            case '#' -> hashComments ? lineComment() : symbol(1);
            case '/' -> slash();
            case '$' -> dollar();
            case ':' -> colon();
            case '\\' -> peek(1) == ':' ? token(SqlToken.COLON, 2) : symbol(1);
            case '?' -> questionMarkers ? marker() : symbol(1);
            case ';' -> token(SqlToken.SEMICOLON, 1);
            case '(' -> token(SqlToken.OPEN, 1);
            case ')' -> token(SqlToken.CLOSE, 1);
            case '[' -> bracket(1);
            case ']' -> bracket(-1);
            case 'e', 'E' -> escapeStrings && peek(1) == '\'' ? escapeString(2) : word();
            case 'u', 'U' -> unicodeStrings && peek(1) == '&' ? unicode(peek(2)) : word();
            default -> isWord((char) c) ? word() : symbol(1);
        };
    }

    private SqlToken token(SqlToken kind, int length) {
        position += length;
        return kind;
    }

    private SqlToken symbol(int length) {
        return token(SqlToken.SYMBOL, length);
    }

    private SqlToken bracket(int step) {
        brackets = Math.max(0, brackets + step);
        return symbol(1);
    }

    private SqlToken space() {
        do {
            while (position < limit && buffer[position] <= ' ') {
                position++;
            }
        } while (position == limit && fill());
        return SqlToken.SPACE;
    }

    private SqlToken word() {
        do {
            while (position < limit && isWord(buffer[position])) {
                position++;
            }
        } while (position == limit && fill());
        if (delimiter.length > 0) {
            cutAtDelimiter();
        }
        return SqlToken.WORD;
    }

    private void cutAtDelimiter() {
        int length = position - start;
        position = start + 1;
        while (position - start < length && !delimits()) {
            position++;
        }
    }

    private boolean delimits() {
        int i = 0;
        while (i < delimiter.length && peek(i) == delimiter[i]) {
            i++;
        }
        return i > 0 && i == delimiter.length;
    }

    private SqlToken singleQuoted() {
        if (continued == Continued.ON_A_NEW_LINE) {
            return escapeString(1);
        }
        return quoted('\'', 1, backslashStrings, backslashStrings ? SqlToken.BACKSLASH_STRING : SqlToken.STRING);
    }

    private SqlToken escapeString(int prefix) {
        continued = Continued.ON_THIS_LINE;
        return quoted('\'', prefix, true, SqlToken.BACKSLASH_STRING);
    }

    /* A string on the next line continues E'…', its rules included. Only white space and line comments may stand between. */
    private Continued continued() {
        return switch (token) {
            case BACKSLASH_STRING -> Continued.ON_THIS_LINE;
            case COMMENT -> buffer[start] == '-' ? continued : Continued.NO;
            case SPACE -> hasLineBreak() ? Continued.ON_A_NEW_LINE : continued;
            default -> Continued.NO;
        };
    }

    private boolean hasLineBreak() {
        for (int i = start; i < position; i++) {
            if (buffer[i] == '\n' || buffer[i] == '\r') {
                return true;
            }
        }
        return false;
    }

    private SqlToken doubleQuoted() {
        return doubleQuotedStrings
                ? quoted('"', 1, backslashStrings, backslashStrings ? SqlToken.BACKSLASH_STRING : SqlToken.STRING)
                : quoted('"', 1, false, SqlToken.IDENTIFIER);
    }

    private SqlToken unicode(int quote) {
        return switch (quote) {
            case '\'' -> quoted('\'', 3, false, SqlToken.UNICODE_STRING);
            case '"' -> quoted('"', 3, false, SqlToken.UNICODE_IDENTIFIER);
            default -> word();
        };
    }

    /* A doubled quote needs no rule: it ends one quote and begins the next, of the same kind. */
    private SqlToken quoted(char quote, int prefix, boolean backslash, SqlToken kind) {
        position += prefix;
        do {
            skipQuoted(quote, backslash, kind);
        } while (peek(0) == quote && skip(1));
        return kind;
    }

    private void skipQuoted(char quote, boolean backslash, SqlToken kind) {
        char escape = backslash ? '\\' : quote;
        while (seek(quote, escape)) {
            if (buffer[position++] == quote) {
                return;
            }
            if (peek(0) != NONE) {
                position++;
            }
        }
        throw unended(
                kind == SqlToken.IDENTIFIER || kind == SqlToken.UNICODE_IDENTIFIER ? "A quoted name" : "A string");
    }

    private boolean dashes() {
        if (peek(1) != '-') {
            return false;
        }
        return !dashesNeedSpace || bareDashes || peek(2) <= ' ';
    }

    /* In a script a carriage return ends a line. A server that reads on to a line feed gets one, or it would drop code. */
    private SqlToken lineComment() {
        seek('\n', script || !dashesNeedSpace ? '\r' : '\n');
        if (dashesNeedSpace && peek(0) == '\r' && peek(1) != '\n') {
            buffer[position] = '\n';
        }
        return SqlToken.COMMENT;
    }

    private SqlToken slash() {
        int second = peek(1);
        if (second == '*') {
            return executableComments && runs() ? executableComment() : blockComment();
        }
        return second == '/' && slashComments ? lineComment() : symbol(1);
    }

    private boolean runs() {
        return peek(2) == '!' || (peek(2) == 'M' && peek(3) == '!');
    }

    private SqlToken blockComment() {
        position += 2;
        int depth = 1;
        while (depth > 0) {
            if (!seek('*', nestedComments ? '/' : '*')) {
                throw unended("A comment");
            }
            depth += commentMark(buffer[position], peek(1));
        }
        return SqlToken.COMMENT;
    }

    private int commentMark(int first, int second) {
        if (first == '*' && second == '/') {
            position += 2;
            return -1;
        }
        if (first == '/' && second == '*') {
            position += 2;
            return 1;
        }
        position++;
        return 0;
    }

    /* Its content is executed, so a quote in it may contain the end mark. */
    private SqlToken executableComment() {
        position += 2;
        while (!(peek(0) == '*' && peek(1) == '/')) {
            if (peek(0) == NONE) {
                throw unended("A comment");
            }
            executablePart(buffer[position]);
        }
        return token(SqlToken.EXECUTABLE_COMMENT, 2);
    }

    private void executablePart(char c) {
        if (c == '\'' || c == '"' || c == '`') {
            quoted(c, 1, c != '`' && backslashStrings, SqlToken.STRING);
        } else {
            position++;
        }
    }

    private SqlToken dollar() {
        int second = peek(1);
        if (numberedMarkers && second >= '0' && second <= '9') {
            position++;
            word();
            return SqlToken.MARKER;
        }
        int tag = dollarQuotes ? tagLength() : 0;
        return tag > 0 ? dollarString(tag) : word();
    }

    /* The length of "$tag$" from here, 0 when there is none. */
    private int tagLength() {
        int length = 1;
        while (dollarTags && isTag(peek(length), length == 1)) {
            length++;
        }
        return peek(length) == '$' ? length + 1 : 0;
    }

    private SqlToken dollarString(int tag) {
        position += tag;
        while (seek('$', '$')) {
            if (endsTag(tag)) {
                return token(SqlToken.DOLLAR_STRING, tag);
            }
            position++;
        }
        throw unended("A string");
    }

    private boolean endsTag(int tag) {
        for (int i = 1; i < tag; i++) {
            if (peek(i) != buffer[start + i]) {
                return false;
            }
        }
        return true;
    }

    private SqlToken marker() {
        position++;
        word();
        return SqlToken.MARKER;
    }

    private SqlToken colon() {
        int second = peek(1);
        if (second == ':' || second == '=') {
            return symbol(2);
        }
        if (second == NONE || !isNameStart((char) second) || isSlice()) {
            return token(SqlToken.COLON, 1);
        }
        position += 2;
        do {
            while (position < limit && isName(buffer[position])) {
                position++;
            }
        } while (position == limit && fill());
        return SqlToken.PARAMETER;
    }

    private boolean isSlice() {
        return brackets > 0 && (isWord(before) || before == ']' || before == ')' || before == '\'' || before == '"');
    }

    private static boolean isWord(char c) {
        return c > 127 || WORD[c];
    }

    private static boolean[] wordCharacters() {
        boolean[] word = new boolean[128];
        for (char c = 0; c < word.length; c++) {
            word[c] = Character.isLetterOrDigit(c) || c == '_' || c == '$';
        }
        return word;
    }

    private static boolean isTag(int c, boolean first) {
        return c != NONE && c != '$' && isWord((char) c) && !(first && c >= '0' && c <= '9');
    }

    private static boolean isNameStart(char c) {
        return c != '$' && Character.isJavaIdentifierStart(c);
    }

    private static boolean isName(char c) {
        return c > ' ' && c != '$' && Character.isJavaIdentifierPart(c);
    }

    /* Moves to the next of two characters; false at the end of the text. */
    private boolean seek(char one, char other) {
        do {
            int p = position;
            while (p < limit && buffer[p] != one && buffer[p] != other) {
                p++;
            }
            position = p;
        } while (position == limit && fill());
        return position < limit;
    }

    private boolean skip(int length) {
        position += length;
        return true;
    }

    private int peek(int ahead) {
        while (position + ahead >= limit) {
            if (!fill()) {
                return NONE;
            }
        }
        return buffer[position + ahead];
    }

    private boolean fill() {
        if (reader == null) {
            return false;
        }
        makeRoom();
        try {
            int read = reader.read(buffer, limit, buffer.length - limit);
            limit += Math.max(read, 0);
            return read >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makeRoom() {
        int from = mark == NONE ? start : mark;
        if (from > 0) {
            drop(from);
        } else if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, limit * 2);
        }
    }

    private void drop(int length) {
        countTo(length);
        counted -= length;
        System.arraycopy(buffer, length, buffer, 0, limit - length);
        dropped += length;
        position -= length;
        limit -= length;
        start -= length;
        mark = mark == NONE ? NONE : 0;
    }

    private void countTo(int end) {
        for (int i = counted; i < end; i++) {
            if (buffer[i] <= '\r') {
                countControl(buffer[i], i);
            } else {
                afterReturn = false;
            }
        }
        counted = Math.max(counted, end);
    }

    private void countControl(char c, int index) {
        if (c == '\n' && afterReturn) {
            lineBegin++;
        } else if (c == '\n' || c == '\r') {
            line++;
            lineBegin = dropped + index + 1;
        }
        afterReturn = c == '\r';
    }

    private SqlSyntaxException unended(String what) {
        return new SqlSyntaxException(what, line(), column());
    }

    /** Whether a string that comes now is a part of the {@code E'…'} before it. */
    private enum Continued {
        NO,
        ON_THIS_LINE,
        ON_A_NEW_LINE
    }
}
