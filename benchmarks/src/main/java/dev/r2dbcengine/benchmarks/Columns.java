package dev.r2dbcengine.benchmarks;

import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.SelectJoinStep;
import org.jooq.impl.DSL;

/** The table of people for jOOQ. */
final class Columns {
    static final Field<Integer> ID = DSL.field("id", Integer.class);
    static final Field<String> NAME = DSL.field("name", String.class);
    static final Field<Integer> AGE = DSL.field("age", Integer.class);

    private Columns() {}

    static SelectJoinStep<Record3<Integer, String, Integer>> select(StatementState state) {
        return state.jooq.select(ID, NAME, AGE).from("person");
    }

    static Person person(Record3<Integer, String, Integer> row) {
        return new Person(row.value1(), row.value2(), row.value3());
    }
}
