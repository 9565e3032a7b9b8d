package dev.r2dbcengine.cli;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON (RFC 8259) in ASCII, so that no encoding of the output changes it. */
final class Json {

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /** Returns a map of alternating names and values, in their order. */
    static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** Writes maps as objects, lists as arrays, integers, booleans and null as such, everything else as strings. */
    static String text(@Nullable Object value) {
        Json json = new Json();
        json.value(value);
        return json.text.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            all('{', object.entrySet().iterator(), '}');
        } else if (value instanceof List<?> array) {
            all('[', array.iterator(), ']');
        } else if (value instanceof Map.Entry<?, ?> member) {
            string(String.valueOf(member.getKey()));
            text.append(':');
            value(member.getValue());
        } else if (value == null || value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            text.append(value);
        } else {
            string(value.toString());
        }
    }

    private void all(char begin, Iterator<?> values, char end) {
        text.append(begin);
        while (values.hasNext()) {
            value(values.next());
            text.append(values.hasNext() ? "," : "");
        }
        text.append(end);
    }

    private void string(String value) {
        text.append('"');
        value.chars().forEach(this::character);
        text.append('"');
    }

    private void character(int c) {
        switch (c) {
            case '"', '\\' -> text.append('\\').append((char) c);
            case '\n' -> text.append("\\n");
            case '\t' -> text.append("\\t");
            default -> {
                if (c >= ' ' && c <= '~') {
                    text.append((char) c);
                } else {
                    text.append(String.format("\\u%04x", c));
                }
            }
        }
    }
}
