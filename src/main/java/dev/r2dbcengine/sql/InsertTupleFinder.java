package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link InsertTuple} of a statement. Gets each token once, in their order.
 *
 * <pre>
 * state    token                                         next
 * START    insert                                        HEAD
 * HEAD     values, outside parentheses                   VALUES
 * VALUES   (                                             TUPLE
 * TUPLE    the ) that closes it                          TAIL
 * TAIL     ;                                             END
 * any      a parameter outside the tuple, a second
 *          tuple, a select, code after END               NONE
 * </pre>
 */
final class InsertTupleFinder {

    private enum State {
        START,
        HEAD,
        VALUES,
        TUPLE,
        TAIL,
        END,
        NONE
    }

    /* Their value depends on their arguments, the time, the session, chance or a sequence, and not on other rows. */
    private static final Set<String> FUNCTIONS =
            Set.of(("ABS CEIL CEILING FLOOR ROUND TRUNC TRUNCATE MOD POWER SQRT SIGN"
                            + " GREATEST LEAST COALESCE NULLIF IFNULL NVL IF LOWER UPPER TRIM LTRIM RTRIM BTRIM LPAD RPAD LEFT RIGHT"
                            + " SUBSTRING SUBSTR REPLACE CONCAT CONCAT_WS LENGTH CHAR_LENGTH OCTET_LENGTH REVERSE INITCAP FORMAT MD5"
                            + " SHA1 SHA2 SHA256 HEX UNHEX ENCODE DECODE CONVERT TO_BASE64 FROM_BASE64 CAST EXTRACT DATE TIME"
                            + " TIMESTAMP YEAR MONTH DAY DATE_TRUNC DATE_ADD DATE_SUB DATE_PART TO_DATE TO_TIMESTAMP TO_CHAR"
                            + " TO_NUMBER STR_TO_DATE DATE_FORMAT FROM_UNIXTIME UNIX_TIMESTAMP MAKE_DATE MAKE_INTERVAL MAKE_TIME"
                            + " MAKE_TIMESTAMP MAKE_TIMESTAMPTZ NOW CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME"
                            + " LOCALTIMESTAMP UTC_TIMESTAMP UTC_DATE UTC_TIME SYSDATE CURDATE CURTIME CLOCK_TIMESTAMP"
                            + " STATEMENT_TIMESTAMP TRANSACTION_TIMESTAMP RANDOM RAND UUID RANDOM_UUID GEN_RANDOM_UUID UUIDV7"
                            + " UUID_GENERATE_V4 UUID_TO_BIN NEXTVAL CURRENT_SCHEMA CURRENT_USER CURRENT_SETTING DATABASE USER"
                            + " TO_JSON TO_JSONB JSON_OBJECT JSON_ARRAY JSON_BUILD_OBJECT JSONB_BUILD_OBJECT JSON_BUILD_ARRAY"
                            + " JSONB_BUILD_ARRAY JSON_EXTRACT JSON_UNQUOTE JSON_QUOTE ROW ARRAY STRING_TO_ARRAY TO_TSVECTOR POINT"
                            + " ST_POINT ST_MAKEPOINT ST_SETSRID ST_GEOMFROMTEXT"
                            // Keywords before a parenthesis.
                            + " VARYING INTERVAL AND OR NOT IN LIKE IS CASE WHEN THEN ELSE BETWEEN DISTINCT FROM FOR")
                    .split(" "));

    private final List<String> tail = new ArrayList<>();
    private State state = State.START;
    private SqlToken before = SqlToken.SPACE;
    private String word = "";
    private boolean qualified;
    private boolean type;
    private boolean known;
    private boolean repeatable = true;
    private boolean computed;
    private int depth;
    private int start;
    private int end;

    /* The length is that of the text since the last parameter, this token included. */
    void token(SqlLexer lexer, SqlToken token, int length) {
        if (state == State.NONE || token == SqlToken.SPACE || token == SqlToken.COMMENT) {
            return;
        }
        word = token == SqlToken.WORD || token == SqlToken.SYMBOL ? lexer.text().toUpperCase(Locale.ROOT) : "";
        state = token == SqlToken.EXECUTABLE_COMMENT ? State.NONE : next(token, length);
        qualified = word.equals(".");
        type = word.equals("::") || word.equals("AS");
        before = token;
    }

    private State next(SqlToken token, int length) {
        return switch (state) {
            case START -> word.equals("INSERT") ? State.HEAD : State.NONE;
            case HEAD -> head(token);
            case VALUES -> open(token, length);
            case TUPLE -> tuple(token, length);
            case TAIL -> tail(token);
            case END, NONE -> State.NONE;
        };
    }

    private State head(SqlToken token) {
        depth += step(token);
        if (token == SqlToken.PARAMETER || token == SqlToken.SEMICOLON) {
            return State.NONE;
        }
        return switch (word) {
            case "SELECT", "SET", "DELAYED" -> State.NONE;
            case "VALUES" -> depth == 0 ? State.VALUES : State.NONE;
            default -> State.HEAD;
        };
    }

    private State open(SqlToken token, int length) {
        if (token != SqlToken.OPEN) {
            return State.NONE;
        }
        start = length - 1;
        depth = 1;
        return State.TUPLE;
    }

    private State tuple(SqlToken token, int length) {
        switch (token) {
            case OPEN -> repeatable &= !isUnknownCall();
            case WORD -> word();
            case SYMBOL -> symbol();
            case IDENTIFIER, UNICODE_IDENTIFIER, COLON -> computed = true;
            case SEMICOLON -> {
                return State.NONE;
            }
            default -> {}
        }
        depth += step(token);
        end = length;
        return depth == 0 ? State.TAIL : State.TUPLE;
    }

    private boolean isUnknownCall() {
        return switch (before) {
            case WORD -> !known;
            case IDENTIFIER, UNICODE_IDENTIFIER -> true;
            default -> false;
        };
    }

    private void word() {
        known = type || (!qualified && FUNCTIONS.contains(word));
        repeatable &= !word.equals("SELECT") && !word.equals("TABLE") && !word.equals("VALUES");
        computed |= !Character.isDigit(word.charAt(0));
    }

    /* A variable of the session may change from row to row; a field of a call's result may be another call. */
    private void symbol() {
        repeatable &= !word.equals("@") && !word.equals(":=") && !(word.equals(".") && before == SqlToken.CLOSE);
        computed |= !word.equals(",") && !word.equals(".");
    }

    private State tail(SqlToken token) {
        if (token == SqlToken.SEMICOLON) {
            return State.END;
        }
        if (token == SqlToken.PARAMETER || (tail.isEmpty() && word.equals(","))) {
            return State.NONE;
        }
        tail.add(word);
        return State.TAIL;
    }

    private static int step(SqlToken token) {
        return token == SqlToken.OPEN ? 1 : token == SqlToken.CLOSE ? -1 : 0;
    }

    /* Null if the statement is no insert of one tuple, or binds nothing in it. */
    @Nullable InsertTuple found(int parameters) {
        if (parameters == 0 || (state != State.TAIL && state != State.END)) {
            return null;
        }
        return new InsertTuple(start, end, repeatable && isHarmlessTail(), computed);
    }

    private boolean isHarmlessTail() {
        int size = tail.size();
        return size == 0
                || (size >= 4
                        && tail.subList(0, 2).equals(List.of("ON", "CONFLICT"))
                        && tail.subList(size - 2, size).equals(List.of("DO", "NOTHING")));
    }
}
