package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Feature;

/** How {@code SqlStatement.batch} sends its items. */
public enum BatchMode {
    /**
     * Sends the items of an {@code insert … values (…)} as inserts of several rows if the text shows that this has the
     * effect of one insert for each item, and {@linkplain Feature#MULTI_ROW_INSERT it is faster on the database}. Other
     * statements are executed once for each item. The text shows it if:
     *
     * <ul>
     *   <li>it is an {@code insert into} with one tuple, and every parameter is in that tuple;
     *   <li>the tuple consists of parameters, literals, {@code default}, operators, casts, and common functions whose
     *       value does not depend on other rows, such as {@code lower}, {@code coalesce}, {@code now} or {@code
     *       nextval};
     *   <li>nothing follows the tuple, except for {@code on conflict … do nothing};
     *   <li>it returns no columns.
     * </ul>
     *
     * The text does not show triggers and rules that the database runs once for each statement, nor functions in the
     * default values of columns: use {@link #ROW_BY_ROW} if they must run for each item.
     */
    AUTOMATIC,

    /**
     * Sends the items as inserts of several rows on every database and whatever functions, sub-selects or clauses the
     * insert has, such as {@code on conflict … do update}. The caller knows that the effect is the same, for example
     * because no two items have the same key. A text without exactly one tuple that contains every parameter fails with
     * an {@link UnsupportedOperationException}.
     */
    MULTI_ROW,

    /** Executes the statement once for each item. */
    ROW_BY_ROW
}
