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

/** A JSON value as H2's parser returns it. */
record Parsed(JSONValue value) {

    Parsed at(String name) {
        return new Parsed(Objects.requireNonNull(((JSONObject) value).getFirst(name), name));
    }

    List<Parsed> all() {
        return Stream.of(((JSONArray) value).getArray()).map(Parsed::new).toList();
    }

    /** Returns a member of each object of an array. */
    List<String> texts(String name) {
        return all().stream().map(object -> object.at(name).text()).toList();
    }

    String text() {
        return value instanceof JSONNull ? "null" : ((JSONString) value).getString();
    }

    int number() {
        return ((JSONNumber) value).getBigDecimal().intValueExact();
    }
}
