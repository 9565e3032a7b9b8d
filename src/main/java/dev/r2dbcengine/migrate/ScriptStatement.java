package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Transactional;

/**
 * One statement of a script.
 *
 * @param line where it begins, comments before it left out, from 1
 * @param column where it begins in that line, from 1
 * @param text as it stands in the script, without what ends it; for the driver it goes through
 *     {@link dev.r2dbcengine.dialect.Dialect#forBatch(String)}
 * @param transactional whether it runs in a transaction
 * @param copiesData whether data follow ({@link ScriptReader#data()}), so that it goes another way than a batch
 */
record ScriptStatement(int line, int column, String text, Transactional transactional, boolean copiesData) {}
