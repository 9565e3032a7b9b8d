package dev.r2dbcengine.sql;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * An insert of one tuple as inserts of several. It has a text for a few numbers of rows only, since drivers and servers
 * keep every text that they have prepared. Safe for use by several threads.
 */
final class MultiRowInsert {

    /* Larger inserts save no time, and the server keeps a plan of their size for each connection. */
    private static final int[] SIZES = {500, 250, 120, 60, 30, 15, 8, 4, 2, 1};
    private static final int MOST_VALUES = 8192;

    private final ParsedSql parsed;
    private final InsertTuple tuple;
    private final AtomicReferenceArray<@Nullable DriverSql> texts = new AtomicReferenceArray<>(SIZES.length);
    private final int mostRows;

    MultiRowInsert(ParsedSql parsed, InsertTuple tuple, DriverSql oneRow) {
        this.parsed = parsed;
        this.tuple = tuple;
        int values = Math.min(MOST_VALUES, parsed.dialect().maxParameters());
        this.mostRows = Math.max(1, values / oneRow.order().length);
    }

    InsertTuple tuple() {
        return tuple;
    }

    /* How many rows one insert can have. */
    int mostRows() {
        return mostRows;
    }

    /* The index of the largest insert for so many rows or fewer. */
    private static int index(int rows) {
        int index = 0;
        while (SIZES[index] > rows) {
            index++;
        }
        return index;
    }

    static int size(int rows) {
        return SIZES[index(rows)];
    }

    /* Two threads may write the same text at the same time; either may be kept. */
    DriverSql ofRows(int size) {
        int index = index(size);
        DriverSql text = texts.get(index);
        if (text == null) {
            text = parsed.rows(tuple, size);
            texts.set(index, text);
        }
        return text;
    }
}
