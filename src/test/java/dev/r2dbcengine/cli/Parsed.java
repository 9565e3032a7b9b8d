package dev.r2dbcengine.cli;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.h2.util.json.JSONArray;
import org.h2.util.json.JSONNull;
import org.h2.util.json.JSONNumber;
import org.h2.util.json.JSONObject;
import org.h2.util.json.JSONString;
import org.h2.util.json.JSONValue;

/** JSON that somebody else has parsed. */
record Parsed(JSONValue value) {

    Parsed at(String name) {
        return new Parsed(Objects.requireNonNull(((JSONObject) value).getFirst(name), name));
    }

    List<Parsed> all() {
        return Stream.of(((JSONArray) value).getArray()).map(Parsed::new).toList();
    }

    /** Of each in an array. */
    List<String> texts(String name) {
        return all().stream().map(one -> one.at(name).text()).toList();
    }

    String text() {
        return value instanceof JSONNull ? "null" : ((JSONString) value).getString();
    }

    int number() {
        return ((JSONNumber) value).getBigDecimal().intValueExact();
    }
}
