package dev.r2dbcengine.migrate.internal.script;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Queue;

/** Replaces {@link Placeholders} while a script is read, and maps positions in the result to lines of the script. */
public final class PlaceholderReader extends Reader {

    private static final int BUFFER = 8192;
    private static final int NONE = -1;
    private static final int LONGEST_TOLD = 100;

    private final String file;
    private final Reader source;
    private final Placeholders placeholders;
    private final char[] prefix;
    private final char[] buffer;
    private int position;
    private int limit;
    private String value = "";
    private int valuePosition;
    private long given;

    private int line = 1;
    private char before = ' ';

    /* Values of several lines whose positions were not asked for yet. */
    private final Queue<Shift> shifts = new ArrayDeque<>();
    private int shifted;

    public PlaceholderReader(String file, Reader source, Placeholders placeholders) {
        this.file = file;
        this.source = source;
        this.placeholders = placeholders;
        this.prefix = placeholders.prefix().toCharArray();
        this.buffer = new char[BUFFER + prefix.length];
    }

    /**
     * Maps a position in the text after replacement to a line of the script. Must be called with ascending positions.
     *
     * @param offset the number of characters before the position
     * @param replacedLine the line of the position, from 1
     * @return the line in the script, from 1
     */
    int sourceLine(long offset, int replacedLine) {
        for (Shift next = shifts.peek(); next != null && next.offset <= offset; next = shifts.peek()) {
            shifted += next.lines;
            shifts.remove();
        }
        return replacedLine - shifted;
    }

    @Override
    public int read(char[] out, int offset, int length) throws IOException {
        if (prefix.length == 0) {
            return source.read(out, offset, length);
        }
        int count = 0;
        while (count < length && (hasValue() || position < limit || (count == 0 && hasText()))) {
            int step = hasValue()
                    ? giveValue(out, offset + count, length - count)
                    : giveText(out, offset + count, length - count);
            given += step;
            count += step;
        }
        return count == 0 ? NONE : count;
    }

    private boolean hasValue() {
        return valuePosition < value.length();
    }

    private int giveValue(char[] out, int offset, int length) {
        int count = Math.min(length, value.length() - valuePosition);
        value.getChars(valuePosition, valuePosition + count, out, offset);
        valuePosition += count;
        return count;
    }

    private int giveText(char[] out, int offset, int length) throws IOException {
        int from = position;
        int end = Math.min(limit, from + length);
        char first = prefix[0];
        int p = from;
        while (p < end && buffer[p] != first) {
            count(buffer[p++]);
        }
        position = p;
        if (p > from) {
            return give(out, offset, from);
        }
        if (atPrefix()) {
            replace();
            return 0;
        }
        count(first);
        return give(out, offset, position++);
    }

    private int give(char[] out, int offset, int from) {
        System.arraycopy(buffer, from, out, offset, position - from);
        return position - from;
    }

    private void count(char c) {
        if (c == '\r' || (c == '\n' && before != '\r')) {
            line++;
        }
        before = c;
    }

    private boolean atPrefix() throws IOException {
        for (int i = 0; i < prefix.length; i++) {
            if (!has(i + 1) || buffer[position + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private void replace() throws IOException {
        position += prefix.length;
        String name = name();
        String found = placeholders.value(name);
        if (found == null) {
            throw new ScriptException(file, line, unknown(name));
        }
        value = found;
        valuePosition = 0;
        long breaks = found.lines().count() - 1 + (endsLine(found) ? 1 : 0);
        if (breaks > 0) {
            shifts.add(new Shift(given + found.length(), Math.toIntExact(breaks)));
        }
    }

    private static boolean endsLine(String text) {
        return text.endsWith("\n") || text.endsWith("\r");
    }

    private String name() throws IOException {
        StringBuilder name = new StringBuilder();
        while (!endsInSuffix(name)) {
            if (!hasText() || buffer[position] == '\n' || buffer[position] == '\r') {
                throw new ScriptException(file, line, "a placeholder has no end in its line. " + advice(""));
            }
            name.append(buffer[position++]);
        }
        return name.substring(0, name.length() - placeholders.suffix().length());
    }

    private boolean endsInSuffix(StringBuilder name) {
        String suffix = placeholders.suffix();
        int at = name.length() - suffix.length();
        int i = 0;
        while (at >= 0 && i < suffix.length() && name.charAt(at + i) == suffix.charAt(i)) {
            i++;
        }
        return i == suffix.length();
    }

    private String unknown(String name) {
        String told = name.length() > LONGEST_TOLD ? name.substring(0, LONGEST_TOLD) + "…" : name;
        String placeholder = placeholders.prefix() + told + placeholders.suffix();
        return "nothing is set for the placeholder " + placeholder + ". Set placeholders(Map.of(\"" + told + "\", …)). "
                + advice(told + placeholders.suffix());
    }

    private String advice(String rest) {
        return "Where it is meant as text, write " + placeholders.prefix() + placeholders.suffix() + rest + ", or have"
                + " placeholderReplacement=false in " + file + ".conf";
    }

    private boolean hasText() throws IOException {
        return has(1);
    }

    private boolean has(int characters) throws IOException {
        while (limit - position < characters) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
            int read = source.read(buffer, limit, buffer.length - limit);
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    private record Shift(long offset, int lines) {}
}
