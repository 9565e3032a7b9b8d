package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.InTransaction;
import java.util.regex.Pattern;

/**
 * One statement of a script.
 *
 * @param line the line of its first token after comments, from 1
 * @param column the column in that line, from 1
 * @param words its first words, separated by single spaces; {@code ""} stands for a quoted name
 * @param text its text in the script, without the delimiter; {@link dev.r2dbcengine.dialect.Dialect#forBatch(String)}
 *     converts it for the driver
 * @param transactional whether it runs in a transaction
 * @param copiesData whether data follow ({@link ScriptReader#data()}), so that it is not sent as a batch
 */
public record ScriptStatement(
        int line, int column, String words, String text, InTransaction transactional, boolean copiesData) {

    private static final Pattern KEEPS_SESSION = Pattern.compile(
            "(ALTER|COMMENT|COPY|CREATE|DELETE|DROP|GRANT|INSERT|REVOKE|TRUNCATE|UPDATE)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            "(?:COMMIT|END|ABORT|ROLLBACK(?! (?:(?:WORK|TRANSACTION) )?TO\\b)|PREPARE TRANSACTION)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern CHAINS =
            Pattern.compile("(?:COMMIT|END)(?: WORK| TRANSACTION)? AND CHAIN\\b", Pattern.CASE_INSENSITIVE);

    /** Returns whether it ends a transaction, judged by its words. */
    boolean endsTransaction() {
        return ENDS_TRANSACTION.matcher(words).lookingAt();
    }

    /** Returns whether it commits and begins the next transaction at once. A chained rollback leaves nothing behind. */
    public boolean chains() {
        return CHAINS.matcher(words).lookingAt();
    }

    /** Returns whether it certainly changes no session setting; a query may, by a function. */
    public boolean keepsSession() {
        return KEEPS_SESSION.matcher(words).lookingAt();
    }
}
