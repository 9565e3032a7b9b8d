package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.sql.Bindings;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;

/** The record that rows are mapped to and written from. */
public record Person(int id, String name, int age) {

    static Person of(Readable row) {
        return new Person(row.get(0, Integer.class), row.get(1, String.class), row.get(2, Integer.class));
    }

    static void bind(Bindings row, Person person) {
        row.bind("id", person.id).bind("name", person.name).bind("age", person.age);
    }

    Statement bind(Statement statement) {
        return statement.bind(0, id).bind(1, name).bind(2, age);
    }
}
