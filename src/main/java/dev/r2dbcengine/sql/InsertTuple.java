package dev.r2dbcengine.sql;

/**
 * The one tuple of an {@code insert … values (…)} that contains every parameter.
 *
 * @param start the index of its opening parenthesis, in the text before the first parameter
 * @param end the index after its closing parenthesis, in the text after the last parameter
 * @param repeatable whether an insert of several such tuples has the effect of one insert for each
 * @param computed whether it has more than parameters and literals, so that a value may be NULL without a bound null
 */
record InsertTuple(int start, int end, boolean repeatable, boolean computed) {}
