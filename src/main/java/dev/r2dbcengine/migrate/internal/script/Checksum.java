package dev.r2dbcengine.migrate.internal.script;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Computes Flyway's checksum of a script while it is read: the CRC-32 of all lines in UTF-8, without line ends. The
 * text must not contain a byte order mark ({@link ScriptDecoder}).
 */
public final class Checksum extends Reader {

    private static final int CHUNK = 1024;

    private final Reader in;
    private final CRC32 sum = new CRC32();
    private final CharsetEncoder encoder = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);

    /* One more than a chunk, for a surrogate that the next chunk completes. */
    private final CharBuffer text = CharBuffer.allocate(CHUNK + 1);
    private final char[] characters = text.array();
    private final ByteBuffer bytes = ByteBuffer.allocate(3 * CHUNK + 3);

    public Checksum(Reader in) {
        this.in = in;
    }

    /* Returns the checksum of the text that was read so far. */
    public int value() {
        return (int) sum.getValue();
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        for (int from = 0; from < read; from += CHUNK) {
            add(buffer, offset + from, Math.min(CHUNK, read - from));
        }
        return read;
    }

    private void add(char[] buffer, int offset, int length) {
        int count = text.position();
        for (int i = offset; i < offset + length; i++) {
            char c = buffer[i];
            characters[count] = c;
            count += c == '\n' || c == '\r' ? 0 : 1;
        }
        text.position(count).flip();
        encoder.encode(text, bytes, false);
        text.compact();
        sum.update(bytes.flip());
        bytes.clear();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
