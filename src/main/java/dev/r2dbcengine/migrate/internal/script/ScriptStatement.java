package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.InTransaction;
import java.util.regex.Pattern;

/**
 * One statement of a script.
 *
 * @param line where it begins, comments before it left out, from 1
 * @param column where it begins in that line, from 1
 * @param words its first words, separated by one space each; {@code ""} stands for a quoted name
 * @param text as it stands in the script, without what ends it; for the driver it goes through
 *     {@link dev.r2dbcengine.dialect.Dialect#forBatch(String)}
 * @param transactional whether it runs in a transaction
 * @param copiesData whether data follow ({@link ScriptReader#data()}), so that it goes another way than a batch
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

    /** Whether it ends a transaction, by its words. */
    boolean endsTransaction() {
        return ENDS_TRANSACTION.matcher(words).lookingAt();
    }

    /** Whether it commits, and begins the next transaction at once. A rollback that does so leaves nothing behind. */
    public boolean chains() {
        return CHAINS.matcher(words).lookingAt();
    }

    /** Whether it is one of those that change no setting of the session; a query may, by a function. */
    public boolean keepsSession() {
        return KEEPS_SESSION.matcher(words).lookingAt();
    }
}
