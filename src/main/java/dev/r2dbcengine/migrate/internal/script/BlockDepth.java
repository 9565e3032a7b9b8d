package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.dialect.Syntax;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;

/**
 * Tracks the nesting of one statement, in parentheses and in blocks of stored programs: a semicolon inside does not
 * end the statement. Receives each token of the statement.
 *
 * <p>{@code BEGIN}, {@code IF} and the like open a block only where a statement can begin, and {@code END} closes one
 * only there. Elsewhere they are functions, columns, or parts of {@code IF EXISTS} and {@code FOR UPDATE}. A {@code
 * CASE} in an expression ends at any {@code END}.
 */
final class BlockDepth {

    private static final Set<String> BEFORE_THE_KIND = Set.of("OR", "REPLACE", "AGGREGATE", "DEFINER");
    private static final Set<String> KINDS = Set.of("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE");
    private static final Set<String> BLOCKS = Set.of("IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR");

    /* The first words of a body that is not a block. */
    private static final Set<String> VERBS = Set.of(
            "SET",
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "REPLACE",
            "CALL",
            "RETURN",
            "WITH",
            "VALUES",
            "SIGNAL",
            "DO",
            "EXECUTE",
            "TRUNCATE",
            "ALTER",
            "CREATE",
            "DROP");

    private final boolean atomicBodies;
    private final boolean storedPrograms;
    private final BitSet expressions = new BitSet();

    private Stage stage = Stage.START;
    private int parentheses;
    private int blocks;
    private boolean start;
    private boolean labelled;
    private String kind = "";
    private String opening = "";
    private String previous = "";

    BlockDepth(Dialect dialect) {
        this.atomicBodies = dialect.has(Syntax.ATOMIC_BODIES);
        this.storedPrograms = dialect.has(Syntax.STORED_PROGRAMS);
    }

    /** Starts a new statement. */
    void reset() {
        stage = Stage.START;
        parentheses = 0;
        blocks = 0;
        start = false;
        previous = "";
    }

    boolean isOpen() {
        return parentheses > 0 || blocks > 0;
    }

    /* Returns what is open, as the beginning of a sentence. */
    String what() {
        return blocks > 0 ? "A block (BEGIN, CASE, IF, LOOP, WHILE, REPEAT, FOR)" : "A parenthesis";
    }

    void next(SqlToken token, SqlLexer lexer) {
        switch (token) {
            case SPACE, COMMENT -> {}
            case OPEN -> parentheses++;
            case CLOSE -> close();
            default -> {
                if (parentheses == 0 && stage != Stage.PLAIN) {
                    outside(token, lexer);
                }
            }
        }
    }

    private void close() {
        parentheses = Math.max(0, parentheses - 1);
        if (parentheses == 0 && stage == Stage.HEADER && !kind.equals("TRIGGER") && !kind.equals("EVENT")) {
            start = true;
        }
    }

    private void outside(SqlToken token, SqlLexer lexer) {
        switch (token) {
            case WORD -> word(lexer.text().toUpperCase(Locale.ROOT));
            case PARAMETER -> afterLabel(lexer.text().toUpperCase(Locale.ROOT));
            case COLON -> start = labelled;
            case SEMICOLON -> start = true;
            default -> other(token == SqlToken.SYMBOL ? lexer.text() : "");
        }
    }

    /* The lexer reads "name:LOOP" as a parameter. */
    private void afterLabel(String word) {
        start = labelled;
        word(word);
    }

    private void other(String text) {
        previous = text;
        labelled = start;
        start &= stage != Stage.BODY;
    }

    private void word(String word) {
        boolean first = start;
        if (!previous.equals(".")) {
            switch (stage) {
                case START -> first(word);
                case BEGIN -> afterBegin(word);
                case CREATE -> kind(word);
                case HEADER -> header(word);
                case BODY -> body(word);
                case PLAIN -> {}
            }
        }
        labelled = first;
        previous = word;
    }

    private void first(String word) {
        if (word.equals("CREATE") || word.equals("ALTER")) {
            stage = atomicBodies || storedPrograms ? Stage.CREATE : Stage.PLAIN;
        } else if (storedPrograms && word.equals("BEGIN")) {
            stage = Stage.BEGIN;
        } else if (storedPrograms && BLOCKS.contains(word)) {
            open(word, false);
        } else {
            stage = Stage.PLAIN;
        }
    }

    /* A BEGIN alone begins a transaction. */
    private void afterBegin(String word) {
        if (word.equals("NOT")) {
            open("BEGIN", false);
        } else {
            stage = Stage.PLAIN;
        }
    }

    private void kind(String word) {
        if (KINDS.contains(word)) {
            kind = word;
            stage = Stage.HEADER;
        } else if (!BEFORE_THE_KIND.contains(word) && !previous.equals("=") && !previous.equals("@")) {
            stage = Stage.PLAIN;
        }
    }

    private void header(String word) {
        if (storedPrograms) {
            programHeader(word);
        } else if (word.equals("ATOMIC") && previous.equals("BEGIN")) {
            open("BEGIN", false);
        }
    }

    private void programHeader(String word) {
        if (word.equals("BEGIN") || (start && BLOCKS.contains(word))) {
            open(word, false);
        } else if (start && VERBS.contains(word) && !previous.equals("CHARACTER") && !previous.equals("RETURNS")) {
            stage = Stage.PLAIN;
        } else if (endsHeader(word)) {
            start = true;
        }
    }

    private boolean endsHeader(String word) {
        return switch (kind) {
            case "TRIGGER" -> word.equals("ROW") && previous.equals("EACH");
            case "EVENT" -> word.equals("DO");
            default -> false;
        };
    }

    private void body(String word) {
        boolean first = start;
        opening = first ? word : opening;
        start = false;
        switch (word) {
            case "END" -> end(first);
            case "BEGIN" -> begin(first);
            case "CASE" -> caseBlock(first);
            case "ATOMIC" -> start = previous.equals("NOT");
            case "THEN", "ELSE" -> start = !inExpression();
            case "DO" -> start = !first;
            case "LOOP" -> loop(first);
            default -> {
                if (first && storedPrograms && BLOCKS.contains(word)) {
                    open(word, false);
                }
            }
        }
    }

    private void end(boolean first) {
        if (inExpression() || first || opening.equals("UNTIL")) {
            blocks--;
            stage = blocks == 0 ? Stage.PLAIN : Stage.BODY;
        }
    }

    /* The block of a handler is inside its DECLARE. */
    private void begin(boolean first) {
        if (storedPrograms && (first || opening.equals("DECLARE"))) {
            open("BEGIN", false);
        }
    }

    private void caseBlock(boolean first) {
        if (!previous.equals("END")) {
            open("CASE", !first);
        }
    }

    /* Oracle writes "WHILE … LOOP". */
    private void loop(boolean first) {
        if (first && storedPrograms) {
            open("LOOP", false);
        } else {
            start = !previous.equals("END") && !inExpression();
        }
    }

    private void open(String word, boolean expression) {
        stage = Stage.BODY;
        expressions.set(blocks++, expression);
        start = word.equals("BEGIN") || word.equals("LOOP") || word.equals("REPEAT");
        opening = "";
    }

    private boolean inExpression() {
        return blocks > 0 && expressions.get(blocks - 1);
    }

    /** The part of a statement that was read so far. */
    private enum Stage {
        START,
        /** After {@code BEGIN}, which may begin a block or a transaction. */
        BEGIN,
        /** After {@code CREATE} or {@code ALTER}. */
        CREATE,
        /** Between the kind of a stored program and its body. */
        HEADER,
        BODY,
        /** No block can begin. */
        PLAIN
    }
}
